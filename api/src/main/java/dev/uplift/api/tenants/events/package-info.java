/// The events of a whole tenant, as a stream. Start at [TenantEventController]; the rows are a matter of `store.event`.
@NullMarked
package dev.uplift.api.tenants.events;

import org.jspecify.annotations.NullMarked;
