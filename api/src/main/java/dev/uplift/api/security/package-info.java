/// Who may do what. A token names a subject, one tenant or all (`*`), and roles; each role includes
/// the ones below it. [Roles] has them; a route says which it needs by `@Secured`.
///
/// What belongs to another tenant looks to a caller as if it were not there: [TenantSecurityRule].
@NullMarked
package dev.uplift.api.security;

import org.jspecify.annotations.NullMarked;
