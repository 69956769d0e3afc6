"""The steps from one layout to the next, a module each; `store/chain.py` has their order.

Each has `upgrade(op)`, which says with Alembic's operations what is changed.
"""
