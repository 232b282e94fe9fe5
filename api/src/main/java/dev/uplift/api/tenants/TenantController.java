package dev.uplift.api.tenants;

import dev.uplift.api.call.Call;
import dev.uplift.api.call.Changes;
import dev.uplift.api.call.Etag;
import dev.uplift.api.call.Listing;
import dev.uplift.api.call.Takes;
import dev.uplift.api.json.Body;
import dev.uplift.api.json.Field;
import dev.uplift.api.json.Shapes;
import dev.uplift.api.problem.Refusal;
import dev.uplift.api.security.Role;
import dev.uplift.api.settings.ForApi;
import dev.uplift.fleet.Names;
import dev.uplift.store.Expected;
import dev.uplift.store.TenantRow;
import dev.uplift.store.Tenants;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
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
  HttpResponse<TenantView> get(Call call, String tenant) {
    TenantRow row = tenants.find(tenant).orElseThrow(() -> KnownTenants.missing(tenant));
    return Etag.isKnown(call, version(row)) ? HttpResponse.notModified() : answer(row);
  }

  /// A number that is another one when the title is; there is no other part that changes.
  private static long version(TenantRow row) {
    return Integer.toUnsignedLong(row.title().hashCode()) + 1;
  }

  private static MutableHttpResponse<TenantView> answer(TenantRow row) {
    return HttpResponse.ok(TenantView.of(row)).header(HttpHeaders.ETAG, Etag.of(version(row)));
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
    Expected expected = Etag.expected(call);
    return changes.make(call, () -> put(call, tenant, title, expected));
  }

  private HttpResponse<TenantView> put(
      Call call, String tenant, Field<String> title, Expected expected) {
    Optional<TenantRow> before = tenants.find(tenant);
    if (!expected.holdsForVersion(before.map(TenantController::version))) {
      throw Refusal.stale(
          before.isPresent()
              ? "the tenant's title is \"%s\"; read it again".formatted(before.get().title())
              : "there is no such tenant");
    }
    TenantRow now =
        tenants.put(tenant, title.find().or(() -> before.map(TenantRow::title)).orElse(""));
    if (!before.equals(Optional.of(now))) {
      changes.note(call, "tenant.put", "tenant/" + tenant, now.title());
    }
    return answer(now).status(before.isPresent() ? HttpStatus.OK : HttpStatus.CREATED);
  }
}
