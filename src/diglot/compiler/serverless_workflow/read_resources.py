"""What lies outside the document: endpoints, resources, and how a caller proves who it is.

Source: DSL reference, Endpoint, External Resource, URI Template, Authentication.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from diglot.specs.serverless_workflow.model import authentication as model

from .. import codes
from ..expressions.strict import expression_text
from ..expressions.uri_template import UriTemplateError, template_names
from ..graph import Constant, Record, SecretValue, UriTemplate, Value
from ..pointers import join_pointer
from .literals import check_credential, has_embedded_expression
from .support import refuse
from .values import expression, text_value

if TYPE_CHECKING:
    from diglot.specs.serverless_workflow.model.resources import EndpointSettings, ExternalResource

    from .reading import Reading


def endpoint(reading: Reading, found: EndpointSettings | str, pointer: str) -> Value:
    """`uri` and `authentication` of an endpoint.

    A whole expression stands alone: it may give the URI or the object.
    """
    if isinstance(found, str):
        uri = uri_value(reading, found, pointer)
        return Record((("uri", uri),)) if isinstance(uri, UriTemplate) else uri
    members = [("uri", uri_value(reading, found.uri, f"{pointer}/uri"))]
    if found.authentication is not None:
        policy = authentication(reading, found.authentication, f"{pointer}/authentication")
        if policy is not None:
            members.append(("authentication", policy))
    return Record(tuple(members))


def resource(reading: Reading, found: ExternalResource, pointer: str) -> Value:
    """`name` and `endpoint` of a resource."""
    members: list[tuple[str, Value]] = []
    if found.name is not None:
        members.append(("name", Constant(found.name)))
    members.append(("endpoint", endpoint(reading, found.endpoint, f"{pointer}/endpoint")))
    return Record(tuple(members))


def uri_value(reading: Reading, text: str, pointer: str) -> Value:
    """A URI: an expression, or a template, which may be without variables."""
    if expression_text(text) is not None:
        return expression(reading, text, pointer)
    if not has_embedded_expression(reading, text, pointer):
        try:
            template_names(text)
        except UriTemplateError as fault:
            reading.find(codes.URI_TEMPLATE_INVALID, pointer, template=text, problem=str(fault))
    return UriTemplate(text)


def authentication(reading: Reading, found: model.Authentication, pointer: str) -> Value | None:
    """A policy with its names resolved; None after a finding."""
    if isinstance(found, model.AuthenticationReference):
        name = found.use
        named: model.AuthenticationPolicy | None = reading.names.find("authentications", name)
        if named is None:
            reading.unknown("authentications", name, f"{pointer}/use")
            return None
        return _policy(reading, named, "/use/authentications" + join_pointer(name))
    return _policy(reading, found, pointer)


def secret(reading: Reading, name: str, pointer: str) -> SecretValue:
    """A whole secret; one that the document does not list is reported."""
    if reading.names.find("secrets", name) is None:
        hint = reading.hints.did_you_mean(name, reading.names.known("secrets"))
        reading.find(codes.UNDECLARED_SECRET, pointer, hint=hint, secret=name)
    return SecretValue(name)


def _policy(reading: Reading, found: model.AuthenticationPolicy, pointer: str) -> Value | None:
    match found:
        case model.BasicAuthentication():
            return _scheme(reading, "basic", found.basic, f"{pointer}/basic")
        case model.BearerAuthentication():
            return _scheme(reading, "bearer", found.bearer, f"{pointer}/bearer")
        case model.DigestAuthentication():
            return _scheme(reading, "digest", found.digest, f"{pointer}/digest")
        case model.OAuth2Authentication():
            return _refused_scheme(reading, "oauth2", found.oauth2, f"{pointer}/oauth2")
        case model.OpenIdConnectAuthentication():
            return _refused_scheme(reading, "oidc", found.oidc, f"{pointer}/oidc")


def _scheme(
    reading: Reading,
    scheme: str,
    settings: model.SecretReference | model.UserAndPassword | model.BearerToken,
    pointer: str,
) -> Value:
    texts: tuple[tuple[str, str], ...]
    match settings:
        case model.SecretReference():
            return Record(((scheme, secret(reading, settings.use, f"{pointer}/use")),))
        case model.UserAndPassword():
            check_credential(reading, settings.password, f"{pointer}/password", "a password")
            texts = (("username", settings.username), ("password", settings.password))
        case model.BearerToken():
            check_credential(reading, settings.token, f"{pointer}/token", "a token")
            texts = (("token", settings.token),)
    members = tuple((name, text_value(reading, text, f"{pointer}/{name}")) for name, text in texts)
    return Record(((scheme, Record(members)),))


def _refused_scheme(
    reading: Reading,
    scheme: str,
    settings: model.SecretReference | model.OpenIdConnectSettings,
    pointer: str,
) -> Value | None:
    """Nothing, after the finding; the secret it names counts as used all the same."""
    if isinstance(settings, model.SecretReference):
        secret(reading, settings.use, f"{pointer}/use")
    elif settings.client is not None and settings.client.secret is not None:
        place = f"{pointer}/client/secret"
        check_credential(reading, settings.client.secret, place, "a client secret")
    refuse(reading, f"authentication-{scheme}", f"`{scheme}` authentication", pointer)
    return None
