/// Events of tenants as their readers get them: numbered ([dev.uplift.services.event.EventNumbers]) and as JSON
/// ([dev.uplift.services.event.TenantEventJson]).
@NullMarked
package dev.uplift.services.event;

import org.jspecify.annotations.NullMarked;
