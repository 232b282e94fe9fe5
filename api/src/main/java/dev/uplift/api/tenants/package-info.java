/// Tenants. Everything else belongs to one. Start at [TenantController].
@NullMarked
package dev.uplift.api.tenants;

import org.jspecify.annotations.NullMarked;
