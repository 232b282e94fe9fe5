package dev.uplift.api.upgrades;

import dev.uplift.api.events.LastEventId;
import dev.uplift.api.events.SharedPoller;
import dev.uplift.api.events.SseStream;
import dev.uplift.api.request.IdempotencyKey;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.request.ResponseStatuses;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.store.upgrade.UpgradeRepository;
import dev.uplift.store.upgrade.UpgradeRow;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.json.JsonMapper;
import io.micronaut.security.annotation.Secured;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/// Streams the events of an upgrade as they happen.
@RequiresApiRole
@Controller("/v1/tenants/{tenant}/upgrades/{id}/events")
@Secured(Roles.VIEWER)
final class UpgradeEventController {
  private final UpgradeRepository upgrades;
  private final UpgradeViews views;
  private final JsonMapper json;
  private final SharedPoller<Key, UpgradeEventState> poller = new SharedPoller<>(key -> _ -> poll(key));

  UpgradeEventController(UpgradeRepository upgrades, UpgradeViews views, JsonMapper json) {
    this.upgrades = upgrades;
    this.views = views;
    this.json = json;
  }

  record Key(String tenant, String id) {}

  /// Streams the events of an upgrade.
  ///
  /// Server-sent events: `progress` when its state has changed, and at last `ended`; the data of both is the upgrade as
  /// `GET` shows it. The state is checked once a second, for all listeners together. Comments keep the connection open.
  @Get
  @Produces(MediaType.TEXT_EVENT_STREAM)
  @ResponseStatuses({200, 204})
  HttpResponse<?> streamUpgradeEvents(RequestContext requestContext, String id) {
    Key key = new Key(requestContext.tenant(), IdempotencyKey.requireValid(id));
    if (upgrades.find(key.tenant(), key.id()).isEmpty()) {
      throw UpgradeController.notFound(requestContext, id);
    }
    Optional<LastEventId> seen = LastEventId.of(requestContext);
    return SseStream.respond(requestContext, () -> new UpgradeEventSource(poller.open(key), seen));
  }

  /// Rows of upgrades are never removed.
  private UpgradeEventState poll(Key key) {
    UpgradeRow row = upgrades.find(key.tenant(), key.id()).orElseThrow();
    return UpgradeEventState.of(write(views.full(row)), row.end().isPresent());
  }

  private String write(UpgradeView view) {
    try {
      return json.writeValueAsString(view);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
