package dev.uplift.api.tenants;

import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.request.AllowsDeletedTenant;
import dev.uplift.api.request.AuditedTransaction;
import dev.uplift.api.request.Etag;
import dev.uplift.api.request.PageResponse;
import dev.uplift.api.request.QueryParameters;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.request.ResponseStatuses;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.fleet.NameRule;
import dev.uplift.store.PageRequest;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.tenant.TenantContents;
import dev.uplift.store.tenant.TenantRepository;
import dev.uplift.store.tenant.TenantRow;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Put;
import io.micronaut.security.annotation.Secured;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Creates tenants, lists and deletes them.
@RequiresApiRole
@Controller("/v1/tenants")
@Secured(Roles.VIEWER)
final class TenantController {
  private final TenantRepository tenants;
  private final TenantDeletion deletion;
  private final AuditedTransaction transaction;

  TenantController(TenantRepository tenants, TenantDeletion deletion, AuditedTransaction transaction) {
    this.tenants = tenants;
    this.deletion = deletion;
    this.transaction = transaction;
  }

  /// Lists the tenants.
  ///
  /// All of them for a token of all tenants, else the caller's own.
  @Get
  @QueryParameters({"deleted", "cursor", "limit"})
  PageResponse<TenantView> listTenants(RequestContext requestContext) {
    PageRequest page = requestContext.pageRequest();
    boolean withDeleted = requestContext.queryBoolean("deleted").orElse(false);
    if (requestContext.caller().hasAllTenants()) {
      return PageResponse.of(withDeleted ? tenants.listWithDeleted(page) : tenants.list(page), TenantView::of);
    }
    Optional<TenantRow> own = tenants.find(requestContext.caller().tenant());
    return new PageResponse<>(own.stream().map(TenantView::of).toList(), Optional.empty());
  }

  /// Shows a tenant.
  ///
  /// With access to all tenants, a deleted one too.
  @Get("/{tenant}")
  @ResponseStatuses(304)
  @AllowsDeletedTenant
  HttpResponse<TenantView> getTenant(RequestContext requestContext, String tenant) {
    TenantRow row = tenants.findWithDeleted(tenant).orElseThrow(() -> KnownTenants.notFound(tenant));
    return Etag.isNotModified(requestContext, version(row)) ? HttpResponse.notModified() : respond(row);
  }

  /// Changes with everything that changes of a tenant.
  private static long version(TenantRow row) {
    return Integer.toUnsignedLong(Objects.hash(row.title(), row.allowHoldOverride(), row.deletedAt(), row.removedAt()))
        + 1;
  }

  private static MutableHttpResponse<TenantView> respond(TenantRow row) {
    return HttpResponse.ok(TenantView.of(row)).header(HttpHeaders.ETAG, Etag.of(version(row)));
  }

  /// Creates a tenant, or changes it.
  ///
  /// An existing tenant keeps what is absent. Needs a token of all tenants (`*`).
  @Put("/{tenant}")
  @Secured(Roles.ADMIN)
  @ResponseStatuses({200, 201, 412})
  HttpResponse<TenantView> putTenant(
      RequestContext requestContext, String tenant, @Nullable @Body PutTenantRequest request) {
    requireAllTenants(requestContext);
    if (!NameRule.TENANT.isValid(tenant)) {
      throw RequestContext.invalidParameter("tenant", "'%s' is not %s".formatted(tenant, NameRule.TENANT.pattern()));
    }
    PutTenantRequest wanted = Objects.requireNonNullElse(request, PutTenantRequest.EMPTY);
    Precondition precondition = Etag.precondition(requestContext);
    return transaction.run(requestContext, () -> put(requestContext, tenant, wanted, precondition));
  }

  private static void requireAllTenants(RequestContext requestContext) {
    if (!requestContext.caller().hasAllTenants()) {
      throw ProblemException.of(HttpStatus.FORBIDDEN, "needs an admin of all tenants (a token with the tenant *)");
    }
  }

  private HttpResponse<TenantView> put(
      RequestContext requestContext, String tenant, PutTenantRequest wanted, Precondition precondition) {
    Optional<TenantRow> before = requireVersion(precondition, tenants.find(tenant));
    TenantRow now =
        tenants
            .put(tenant, Optional.ofNullable(wanted.title()).or(() -> before.map(TenantRow::title)).orElse(""))
            .flatMap(row ->
                wanted.allowHoldOverride() == null
                    ? Optional.of(row)
                    : tenants.allowHoldOverride(tenant, wanted.allowHoldOverride()))
            .orElseThrow(() -> ProblemException.notFound("the tenant %s has just been deleted".formatted(tenant)));
    if (!before.equals(Optional.of(now))) {
      transaction.recordAudit(requestContext, "tenant.put", "tenant/" + tenant, describe(before, now));
    }
    return respond(now).status(before.isPresent() ? HttpStatus.OK : HttpStatus.CREATED);
  }

  /// For the audit.
  private static String describe(Optional<TenantRow> before, TenantRow now) {
    boolean wasAllowed = before.map(TenantRow::allowHoldOverride).orElse(false);
    if (wasAllowed == now.allowHoldOverride()) {
      return now.title();
    }
    String change = "what owners of hosts hold %s be overridden".formatted(wasAllowed ? "cannot" : "can");
    return now.title().isEmpty() ? change : now.title() + ", " + change;
  }

  /// Deletes a tenant.
  ///
  /// At once its hosts are disconnected, and all requests to it are answered with 404. Everything that belongs to it is
  /// then removed, except its audit. Its name is not used again. Refused while an upgrade of it runs or a rollout is
  /// open. Needs a token of all tenants (`*`).
  @Delete("/{tenant}")
  @Secured(Roles.ADMIN)
  @QueryParameters("confirm")
  @ResponseStatuses({409, 412})
  TenantContentsView deleteTenant(RequestContext requestContext, String tenant) {
    requireAllTenants(requestContext);
    // An address with an empty name at its end, such as of a device, is that of its tenant.
    if (!requestContext.queryText("confirm").equals(Optional.of(tenant))) {
      throw RequestContext.invalidParameter("confirm", "expected %s, the name of the tenant".formatted(tenant));
    }
    Precondition precondition = Etag.precondition(requestContext);
    TenantContents contents = transaction.run(requestContext, () -> delete(requestContext, precondition));
    if (!requestContext.isValidateOnly()) {
      deletion.enforce(tenant);
    }
    return TenantContentsView.of(tenant, contents);
  }

  private static Optional<TenantRow> requireVersion(Precondition precondition, Optional<TenantRow> before) {
    return Etag.requireVersion(precondition, "the tenant", before, TenantController::version);
  }

  private TenantContents delete(RequestContext requestContext, Precondition precondition) {
    String tenant = requestContext.tenant();
    TenantRow before = tenants.find(tenant).orElseThrow(() -> KnownTenants.notFound(tenant));
    Optional<TenantRow> _ = requireVersion(precondition, Optional.of(before));
    TenantContents contents = deletion.delete(requestContext);
    transaction.recordAudit(requestContext, "tenant.delete", "tenant/" + tenant, before.title());
    return contents;
  }
}
