"""What lies outside the document: endpoints, resources, catalogs.

Source: DSL reference, Endpoint, External Resource, Catalog.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Tag

from .authentication import Authentication
from .base import Closed, Maybe, by_type
from .scalars import UriOrExpression


class EndpointSettings(Closed):
    """An endpoint that needs more than its URI."""

    uri: UriOrExpression
    authentication: Maybe[Authentication] = None


Endpoint = Annotated[
    Annotated[EndpointSettings, Tag("object")] | Annotated[UriOrExpression, Tag("string")],
    by_type("a URI, an expression in ${ } or a mapping with a uri"),
]


class ExternalResource(Closed):
    """A resource that is fetched when it is needed."""

    name: Maybe[str] = None
    endpoint: Endpoint


class Catalog(Closed):
    """The root of a catalog of functions."""

    endpoint: Endpoint
