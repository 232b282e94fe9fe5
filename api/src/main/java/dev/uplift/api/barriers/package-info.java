/// `/v1/tenants/{tenant}/barriers`: a package halts on many hosts, something that they share is migrated, and they
/// resume. Start at [BarrierController].
@NullMarked
package dev.uplift.api.barriers;

import org.jspecify.annotations.NullMarked;
