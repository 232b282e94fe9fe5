package dev.uplift.api.rollouts;

import dev.uplift.api.events.LastEventId;
import dev.uplift.api.events.SseStream;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.request.ResponseStatuses;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.fleet.RolloutId;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.security.annotation.Secured;
import java.util.Optional;

/// Streams what happens to a rollout.
@RequiresApiRole
@Controller("/v1/tenants/{tenant}/rollouts/{rollout}/events")
@Secured(Roles.VIEWER)
final class RolloutEventController {
  private final RolloutService service;
  private final RolloutPoller poller;

  RolloutEventController(RolloutService service, RolloutPoller poller) {
    this.service = service;
    this.poller = poller;
  }

  /// Streams the events of a rollout.
  ///
  /// Server-sent events. `decision`: one of the log, each once and in its order. `progress`: the rollout as `GET` shows
  /// it, without `plan` and `last_decision`, when its state has changed. `ended`: the same, once, as the last. The
  /// state is checked once a second, for all listeners together. Comments keep the connection open.
  @Get
  @Produces(MediaType.TEXT_EVENT_STREAM)
  @ResponseStatuses({200, 204})
  HttpResponse<?> streamRolloutEvents(RequestContext requestContext, RolloutId id) {
    var _ = service.find(id);
    Optional<LastEventId> seen = LastEventId.of(requestContext);
    return SseStream.respond(requestContext, () -> poller.eventSource(id, seen));
  }
}
