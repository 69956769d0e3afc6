"""The DSL 1.0 of Serverless (Open) Workflow as data: models, catalogue, durations."""
