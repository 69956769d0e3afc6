"""The conformance suite: cases, the harness that plays them, and runners of other people's suites."""
