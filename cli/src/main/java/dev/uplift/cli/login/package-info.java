/// Logins of people at an issuer (OpenID Connect), and the files that keep them. [IssuerClient] asks the issuer;
/// [LoginSession] is the bearer token of a command. Knows nothing of the server but its address.
@NullMarked
package dev.uplift.cli.login;

import org.jspecify.annotations.NullMarked;
