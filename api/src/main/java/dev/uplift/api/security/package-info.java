/// Authentication and authorization. A token names a subject, one tenant or all (`*`), and roles; each role includes
/// the ones below it. [Roles] lists them; a route names the one that it needs by `@Secured`. A token may be revoked
/// before it expires: [RevokedTokens].
///
/// Tokens come from issuers ([IssuerTokens]), from programs that have the secret ([SecretSignedTokens]), and from REST,
/// for scripts ([ApiTokens]).
///
/// Resources of another tenant answer 404, as if they did not exist: [TenantSecurityRule].
@NullMarked
package dev.uplift.api.security;

import org.jspecify.annotations.NullMarked;
