/// Events of tenants: what happened, for event streams. Start at [TenantEventRepository].
@NullMarked
package dev.uplift.store.event;

import org.jspecify.annotations.NullMarked;
