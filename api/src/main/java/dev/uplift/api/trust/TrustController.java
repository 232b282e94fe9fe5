package dev.uplift.api.trust;

import dev.uplift.activities.trust.RootStream;
import dev.uplift.api.call.Call;
import dev.uplift.api.call.Changes;
import dev.uplift.api.call.Takes;
import dev.uplift.api.json.Body;
import dev.uplift.api.problem.Refusal;
import dev.uplift.api.security.Role;
import dev.uplift.api.settings.ForApi;
import dev.uplift.api.tenants.KnownTenants;
import dev.uplift.protocol.SignedRoot;
import dev.uplift.store.RootRow;
import dev.uplift.store.Roots;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Put;
import io.micronaut.security.annotation.Secured;
import java.net.URI;
import java.util.Optional;

/// Takes the next root of a tenant in, and says which there are.
@ForApi
@Controller("/v1/tenants/{tenant}/trust")
@Secured(Role.VIEWER)
final class TrustController {
  private final Roots roots;
  private final NextRoot next;
  private final TrustViews views;
  private final Changes changes;
  private final KnownTenants tenants;
  private final RootStream stream;

  TrustController(
      Roots roots,
      NextRoot next,
      TrustViews views,
      Changes changes,
      KnownTenants tenants,
      RootStream stream) {
    this.roots = roots;
    this.next = next;
    this.views = views;
    this.changes = changes;
    this.tenants = tenants;
    this.stream = stream;
  }

  @Get
  TrustView newest(Call call) {
    tenants.check(call.tenant());
    return roots
        .newest(call.tenant())
        .map(views::of)
        .orElseThrow(() -> Refusal.notFound(call.tenant() + " has no root yet"));
  }

  @Get("/{number}")
  TrustView get(Call call, long number) {
    return roots
        .find(call.tenant(), number)
        .map(views::of)
        .orElseThrow(
            () -> Refusal.notFound("there is no root %d of %s".formatted(number, call.tenant())));
  }

  @Put("/{number}")
  @Secured(Role.ADMIN)
  @Takes("anew")
  HttpResponse<TrustView> publish(Call call, long number, HttpRequest<?> request) {
    tenants.check(call.tenant());
    SignedRoot root = NextRoot.read(Body.of(request));
    HttpResponse<TrustView> answer = changes.make(call, () -> publish(call, number, root));
    if (!call.validates()) {
      stream.bring();
    }
    return answer;
  }

  private HttpResponse<TrustView> publish(Call call, long version, SignedRoot root) {
    String tenant = call.tenant();
    Optional<RootRow> before = roots.find(tenant, version);
    if (before.filter(row -> row.text().equals(root.root())).isPresent()) {
      return HttpResponse.ok(views.of(before.get()));
    }
    next.check(call, version, root);
    RootRow row = roots.put(tenant, version, root.root(), root.signature());
    if (!row.text().equals(root.root())) {
      throw NextRoot.taken(row);
    }
    changes.note(call, "trust.publish", "trust/" + version, row.text());
    return HttpResponse.created(
        views.of(row), URI.create("/v1/tenants/%s/trust/%d".formatted(tenant, version)));
  }
}
