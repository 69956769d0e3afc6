"""`python -m diglot.api.cli`."""

from . import main

main()
