package dev.uplift.api.tenants.events;

import dev.uplift.api.events.LastEventId;
import dev.uplift.api.events.SseStream;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.api.tenants.KnownTenants;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.security.annotation.Secured;
import java.util.Optional;

/// Streams what happens in a tenant.
@RequiresApiRole
@Controller("/v1/tenants/{tenant}/events")
@Secured(Roles.VIEWER)
final class TenantEventController {
  private final TenantEventPoller poller;
  private final KnownTenants tenants;

  TenantEventController(TenantEventPoller poller, KnownTenants tenants) {
    this.poller = poller;
    this.tenants = tenants;
  }

  /// Streams the events of a tenant.
  ///
  /// Server-sent events: upgrades and rollouts that begin, wait and end, devices that are held, releases that are
  /// published. First comes `position`, whose id is where the stream begins; then each event once and in its order. The
  /// name of an event is its `kind`, its id its `number`. Events are kept for 30 days. Comments keep the connection
  /// open.
  @Get
  @Produces(MediaType.TEXT_EVENT_STREAM)
  HttpResponse<?> streamTenantEvents(RequestContext requestContext) {
    tenants.requireExists(requestContext.tenant());
    Optional<LastEventId> seen = LastEventId.of(requestContext);
    poller.requireReadable(requestContext.tenant());
    return SseStream.respondWithoutEnd(requestContext, () -> poller.eventSource(requestContext.tenant(), seen));
  }
}
