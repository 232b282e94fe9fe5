package dev.uplift.api.audit;

import dev.uplift.api.call.Call;
import dev.uplift.api.call.Listing;
import dev.uplift.api.call.Takes;
import dev.uplift.api.security.Role;
import dev.uplift.api.settings.ForApi;
import dev.uplift.api.tenants.KnownTenants;
import dev.uplift.store.Audit;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.security.annotation.Secured;

/// Shows who did what, newest first.
@ForApi
@Controller("/v1/tenants/{tenant}/audit")
@Secured(Role.VIEWER)
final class AuditController {
  private final Audit audit;
  private final KnownTenants tenants;

  AuditController(Audit audit, KnownTenants tenants) {
    this.audit = audit;
    this.tenants = tenants;
  }

  @Get
  @Takes({"target", "cursor", "limit"})
  Listing<AuditView> list(Call call) {
    tenants.check(call.tenant());
    return Listing.of(audit.list(call.tenant(), call.text("target"), call.page()), AuditView::of);
  }
}
