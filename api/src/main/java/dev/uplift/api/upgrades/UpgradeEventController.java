package dev.uplift.api.upgrades;

import dev.uplift.api.call.Call;
import dev.uplift.api.events.LastEvent;
import dev.uplift.api.events.Looks;
import dev.uplift.api.events.Stream;
import dev.uplift.api.security.Role;
import dev.uplift.api.settings.ForApi;
import dev.uplift.store.UpgradeRow;
import dev.uplift.store.Upgrades;
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

/// Tells what happens to an upgrade, as it happens.
@ForApi
@Controller("/v1/tenants/{tenant}/upgrades/{id}/events")
@Secured(Role.VIEWER)
final class UpgradeEventController {
  private final Upgrades upgrades;
  private final Views views;
  private final JsonMapper json;
  private final Looks<Key, UpgradeLook> looks = new Looks<>(key -> _ -> look(key));

  UpgradeEventController(Upgrades upgrades, Views views, JsonMapper json) {
    this.upgrades = upgrades;
    this.views = views;
    this.json = json;
  }

  record Key(String tenant, String id) {}

  @Get
  @Produces(MediaType.TEXT_EVENT_STREAM)
  HttpResponse<?> follow(Call call, String id) {
    Key key = new Key(call.tenant(), UpgradeId.checked(id));
    if (upgrades.find(key.tenant(), key.id()).isEmpty()) {
      throw UpgradeController.missing(call, id);
    }
    Optional<LastEvent> seen = LastEvent.of(call);
    return Stream.of(call, () -> new UpgradeTeller(looks.open(key), seen));
  }

  /// Rows of upgrades are never removed.
  private UpgradeLook look(Key key) {
    UpgradeRow row = upgrades.find(key.tenant(), key.id()).orElseThrow();
    return UpgradeLook.of(write(views.whole(row)), row.end().isPresent());
  }

  private String write(UpgradeView view) {
    try {
      return json.writeValueAsString(view);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
