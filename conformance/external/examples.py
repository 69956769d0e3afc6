from .outcome import settled
def run(suites, report): return settled([], report)
