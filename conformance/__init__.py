"""The conformance suite: cases, the harness that plays them, runners of other suites."""
