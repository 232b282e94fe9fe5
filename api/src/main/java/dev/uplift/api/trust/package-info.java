/// The trust roots of a tenant: signed elsewhere, checked here, kept forever. Start at [TrustController].
@NullMarked
package dev.uplift.api.trust;

import org.jspecify.annotations.NullMarked;
