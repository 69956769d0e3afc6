# Plain lines: each target is what you would type. PYTHON is the interpreter of your environment.
PYTHON ?= python

.PHONY: check lint types test prove browser bench docs

check: lint types test

lint:
	$(PYTHON) -m ruff check src tests conformance benchmarks
	$(PYTHON) -m ruff format --check src tests conformance benchmarks
	$(PYTHON) -c "from importlinter.cli import lint_imports_command as lint; lint()"

types:
	$(PYTHON) -m mypy
	$(PYTHON) -m pyright --project pyproject.toml --pythonpath $$($(PYTHON) -c 'import sys; print(sys.executable)')

test:
	$(PYTHON) -m pytest -q -n auto --dist worksteal -m "not slow"

# The whole sweeps: a kill at every commit of every case, every file there is exported in every way,
# long property tests.
prove:
	DIGLOT_SWEEP=all $(PYTHON) -m pytest -q -n auto --dist worksteal

# The viewer that exported diagrams are opened in; without it, or chromium, those tests skip.
browser:
	cd tests/browser && npm install --no-package-lock --no-audit --no-fund --silent

bench:
	$(PYTHON) benchmarks/run.py

docs:
	$(PYTHON) -m diglot.api.pages
