package dev.uplift.api.tenants;

import dev.uplift.api.call.Call;
import dev.uplift.api.call.Changes;
import dev.uplift.api.call.Listing;
import dev.uplift.api.call.Takes;
import dev.uplift.api.json.Body;
import dev.uplift.api.json.Field;
import dev.uplift.api.json.Shapes;
import dev.uplift.api.problem.Refusal;
import dev.uplift.api.security.Role;
import dev.uplift.api.settings.ForApi;
import dev.uplift.fleet.Names;
import dev.uplift.store.TenantRow;
import dev.uplift.store.Tenants;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Put;
import io.micronaut.security.annotation.Secured;
import java.util.Optional;

/// Makes tenants, and says which there are.
@ForApi
@Controller("/v1/tenants")
@Secured(Role.VIEWER)
final class TenantController {
  private static final int TITLE_CHARS = 200;

  private final Tenants tenants;
  private final Changes changes;

  TenantController(Tenants tenants, Changes changes) {
    this.tenants = tenants;
    this.changes = changes;
  }

  @Get
  @Takes({"cursor", "limit"})
  Listing<TenantView> list(Call call) {
    if (call.caller().isForAll()) {
      return Listing.of(tenants.list(call.page()), TenantView::of);
    }
    Optional<TenantRow> own = tenants.find(call.caller().tenant());
    return new Listing<>(own.stream().map(TenantView::of).toList(), Optional.empty());
  }

  @Get("/{tenant}")
  TenantView get(Call call, String tenant) {
    return tenants.find(tenant).map(TenantView::of).orElseThrow(() -> KnownTenants.missing(tenant));
  }

  @Put("/{tenant}")
  @Secured(Role.ADMIN)
  HttpResponse<TenantView> put(Call call, String tenant, HttpRequest<?> request) {
    if (!call.caller().isForAll()) {
      throw Refusal.of(
          HttpStatus.FORBIDDEN, "needs an admin of all tenants (a token with the tenant *)");
    }
    if (!Names.TENANT.allow(tenant)) {
      throw Call.wrong("tenant", "'%s' is not %s".formatted(tenant, Names.TENANT.rule()));
    }
    Body in = Body.orEmpty(request);
    Field<String> title = in.optional("title", Shapes.text(TITLE_CHARS));
    in.done();
    return changes.make(call, () -> put(call, tenant, title));
  }

  private HttpResponse<TenantView> put(Call call, String tenant, Field<String> title) {
    Optional<TenantRow> before = tenants.find(tenant);
    TenantRow now =
        tenants.put(tenant, title.find().or(() -> before.map(TenantRow::title)).orElse(""));
    if (!before.equals(Optional.of(now))) {
      changes.note(call, "tenant.put", "tenant/" + tenant, now.title());
    }
    TenantView view = TenantView.of(now);
    return before.isPresent() ? HttpResponse.ok(view) : HttpResponse.created(view);
  }
}
