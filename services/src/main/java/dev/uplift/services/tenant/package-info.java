/// Removes what belongs to deleted tenants. Start at [TenantRemover].
@NullMarked
package dev.uplift.services.tenant;

import org.jspecify.annotations.NullMarked;
