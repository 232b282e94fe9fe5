package dev.uplift.api.upgrades;

import dev.uplift.api.call.Call;
import dev.uplift.api.call.Ids;
import dev.uplift.api.call.Listing;
import dev.uplift.api.call.Takes;
import dev.uplift.api.json.Body;
import dev.uplift.api.problem.Refusal;
import dev.uplift.api.security.Role;
import dev.uplift.api.settings.ForApi;
import dev.uplift.api.tenants.KnownTenants;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.Outcome;
import dev.uplift.store.UpgradeFilter;
import dev.uplift.store.UpgradeRow;
import dev.uplift.store.Upgrades;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.security.annotation.Secured;
import java.net.URI;
import java.time.InstantSource;

/// Starts upgrades and shows them.
@ForApi
@Controller("/v1/tenants/{tenant}")
@Secured(Role.VIEWER)
final class UpgradeController {
  private final Upgrades upgrades;
  private final Starting starting;
  private final Views views;
  private final KnownTenants tenants;
  private final InstantSource clock;

  UpgradeController(
      Upgrades upgrades,
      Starting starting,
      Views views,
      KnownTenants tenants,
      InstantSource clock) {
    this.upgrades = upgrades;
    this.starting = starting;
    this.views = views;
    this.tenants = tenants;
    this.clock = clock;
  }

  @Post("/devices/{device}/upgrades")
  @Secured(Role.OPERATOR)
  HttpResponse<UpgradeView> start(Call call, String device, HttpRequest<?> request) {
    tenants.check(call.tenant());
    DeviceId id = Ids.device(call, device);
    UpgradeWish wish = UpgradeWish.read(Body.of(request), clock.instant());
    return begun(call, starting.start(call, id, UpgradeId.of(call), wish));
  }

  /// An upgrade of its own, which takes this one back.
  @Post("/upgrades/{id}/revert")
  @Secured(Role.OPERATOR)
  HttpResponse<UpgradeView> revert(Call call, String id, HttpRequest<?> request) {
    tenants.check(call.tenant());
    UpgradeRow done =
        upgrades.find(call.tenant(), UpgradeId.checked(id)).orElseThrow(() -> missing(call, id));
    RevertWish wish = RevertWish.read(request, clock.instant());
    return begun(call, starting.revert(call, done, UpgradeId.of(call), wish));
  }

  private HttpResponse<UpgradeView> begun(Call call, Starting.Begun begun) {
    // What a workflow that has hardly begun does is not worth two calls to Temporal at each start.
    UpgradeView view = begun.isNew() ? views.brief(begun.upgrade()) : views.whole(begun.upgrade());
    URI place = URI.create("/v1/tenants/%s/upgrades/%s".formatted(call.tenant(), view.id()));
    return begun.isNew()
        ? HttpResponse.created(view, place)
        : HttpResponse.ok(view).headers(headers -> headers.location(place));
  }

  @Get("/upgrades")
  @Takes({"device", "package", "version", "outcome", "running", "cursor", "limit"})
  Listing<UpgradeView> list(Call call) {
    tenants.check(call.tenant());
    UpgradeFilter filter =
        new UpgradeFilter(
            call.text("device"),
            call.text("package"),
            call.text("version"),
            call.word("outcome", Outcome.values()),
            call.flag("running"));
    return Listing.of(upgrades.list(call.tenant(), filter, call.page()), views::brief);
  }

  @Get("/upgrades/{id}")
  UpgradeView get(Call call, String id) {
    return upgrades
        .find(call.tenant(), UpgradeId.checked(id))
        .map(views::whole)
        .orElseThrow(() -> missing(call, id));
  }

  static Refusal missing(Call call, String id) {
    return Refusal.notFound("there is no upgrade %s in %s".formatted(id, call.tenant()));
  }
}
