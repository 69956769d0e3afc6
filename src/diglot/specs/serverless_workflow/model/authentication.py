"""How a caller proves who it is. Source: DSL reference, Authentication."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, Tag

from .base import Closed, Items, Loose, Maybe, by_key
from .scalars import Uri

#: The name of a secret or of a policy.
Name = Annotated[str, Field(min_length=1)]
GrantType = Literal[
    "authorization_code",
    "client_credentials",
    "password",
    "refresh_token",
    "urn:ietf:params:oauth:grant-type:token-exchange",
]
ClientAuthentication = Literal[
    "client_secret_basic", "client_secret_post", "client_secret_jwt", "private_key_jwt", "none"
]


class SecretReference(Closed):
    """The whole configuration of a scheme is a secret."""

    use: Name


class UserAndPassword(Closed):
    """Basic and digest authentication, written out."""

    username: str
    password: str


class BearerToken(Closed):
    """Bearer authentication, written out."""

    token: str


class OAuth2Token(Closed):
    """A token that stands for somebody. Source: DSL reference, OAuth2 Token."""

    token: str
    type: str


class OAuth2Client(Closed):
    """The client that asks for a token."""

    id: Maybe[str] = None
    secret: Maybe[str] = None
    assertion: Maybe[str] = None
    authentication: ClientAuthentication = "client_secret_post"


class OAuth2Request(Loose):
    """How the request for a token is written."""

    encoding: Literal["application/x-www-form-urlencoded", "application/json"] = (
        "application/x-www-form-urlencoded"
    )


class OAuth2Endpoints(Loose):
    """Paths below the authority."""

    token: str = "/oauth2/token"
    revocation: str = "/oauth2/revoke"
    introspection: str = "/oauth2/introspect"


class OpenIdConnectSettings(Closed):
    """OpenID Connect, written out; 1.0.3 did not yet insist on `authority` and `grant`."""

    authority: Maybe[Uri] = None
    grant: Maybe[GrantType] = None
    client: Maybe[OAuth2Client] = None
    request: Maybe[OAuth2Request] = None
    issuers: Maybe[Items[str]] = None
    scopes: Maybe[Items[str]] = None
    audiences: Maybe[Items[str]] = None
    username: Maybe[str] = None
    password: Maybe[str] = None
    subject: Maybe[OAuth2Token] = None
    actor: Maybe[OAuth2Token] = None


class OAuth2Settings(OpenIdConnectSettings):
    """OAuth2, written out: what discovery would tell is configured."""

    endpoints: Maybe[OAuth2Endpoints] = None


class BasicAuthentication(Closed):
    """A policy of the basic scheme."""

    basic: Annotated[
        Annotated[SecretReference, Tag("use")] | Annotated[UserAndPassword, Tag("inline")],
        by_key("use", otherwise="inline"),
    ]


class BearerAuthentication(Closed):
    """A policy of the bearer scheme."""

    bearer: Annotated[
        Annotated[SecretReference, Tag("use")] | Annotated[BearerToken, Tag("inline")],
        by_key("use", otherwise="inline"),
    ]


class DigestAuthentication(Closed):
    """A policy of the digest scheme."""

    digest: Annotated[
        Annotated[SecretReference, Tag("use")] | Annotated[UserAndPassword, Tag("inline")],
        by_key("use", otherwise="inline"),
    ]


class OAuth2Authentication(Closed):
    """A policy of the OAuth2 scheme."""

    oauth2: Annotated[
        Annotated[SecretReference, Tag("use")] | Annotated[OAuth2Settings, Tag("inline")],
        by_key("use", otherwise="inline"),
    ]


class OpenIdConnectAuthentication(Closed):
    """A policy of the OpenID Connect scheme."""

    oidc: Annotated[
        Annotated[SecretReference, Tag("use")] | Annotated[OpenIdConnectSettings, Tag("inline")],
        by_key("use", otherwise="inline"),
    ]


class AuthenticationReference(Closed):
    """The name of a policy in `use.authentications`."""

    use: Name


#: A policy written out: exactly one scheme.
AuthenticationPolicy = Annotated[
    Annotated[BasicAuthentication, Tag("basic")]
    | Annotated[BearerAuthentication, Tag("bearer")]
    | Annotated[DigestAuthentication, Tag("digest")]
    | Annotated[OAuth2Authentication, Tag("oauth2")]
    | Annotated[OpenIdConnectAuthentication, Tag("oidc")],
    by_key("basic", "bearer", "digest", "oauth2", "oidc"),
]
#: A policy, or `use` with the name of one.
Authentication = Annotated[
    Annotated[AuthenticationReference, Tag("use")]
    | Annotated[BasicAuthentication, Tag("basic")]
    | Annotated[BearerAuthentication, Tag("bearer")]
    | Annotated[DigestAuthentication, Tag("digest")]
    | Annotated[OAuth2Authentication, Tag("oauth2")]
    | Annotated[OpenIdConnectAuthentication, Tag("oidc")],
    by_key("use", "basic", "bearer", "digest", "oauth2", "oidc"),
]
