package dev.uplift.api.audit;

import dev.uplift.api.request.AllowsDeletedTenant;
import dev.uplift.api.request.PageResponse;
import dev.uplift.api.request.QueryParameters;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.api.tenants.KnownTenants;
import dev.uplift.store.audit.AuditRepository;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.security.annotation.Secured;

/// Lists the audit log, newest entry first.
@RequiresApiRole
@Controller("/v1/tenants/{tenant}/audit")
@Secured(Roles.VIEWER)
final class AuditController {
  private final AuditRepository audit;
  private final KnownTenants tenants;

  AuditController(AuditRepository audit, KnownTenants tenants) {
    this.audit = audit;
    this.tenants = tenants;
  }

  /// Shows the audit log, newest first.
  ///
  /// All entries, or those of one target. With access to all tenants, of a deleted tenant too.
  @Get
  @QueryParameters({"target", "cursor", "limit"})
  @AllowsDeletedTenant
  PageResponse<AuditView> listAudit(RequestContext requestContext) {
    tenants.requireExists(requestContext.tenant());
    return PageResponse.of(
        audit.list(requestContext.tenant(), requestContext.queryText("target"), requestContext.pageRequest()),
        AuditView::of);
  }
}
