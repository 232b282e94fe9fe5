/// Whose word counts in a tenant: the roots of its chain. They are signed elsewhere, checked here
/// and kept for ever. Start at [TrustController].
@NullMarked
package dev.uplift.api.trust;

import org.jspecify.annotations.NullMarked;
