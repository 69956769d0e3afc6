"""`diglot lsp`: what `diglot check` finds, shown by an editor while its author writes.

Source: Language Server Protocol 3.17.
"""
