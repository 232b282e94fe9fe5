package dev.uplift.api.pins;

import dev.uplift.api.notify.WaitNotifier;
import dev.uplift.api.request.AuditedTransaction;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.api.tenants.KnownTenants;
import dev.uplift.store.tenant.TenantStopRepository;
import dev.uplift.store.tenant.TenantStopRow;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Put;
import io.micronaut.security.annotation.Secured;
import java.util.Optional;

/// Stops a tenant: nothing new begins in it, and what is in work goes to its end.
@RequiresApiRole
@Controller("/v1/tenants/{tenant}/stop")
@Secured(Roles.VIEWER)
final class StopController {
  private final TenantStopRepository stops;
  private final AuditedTransaction transaction;
  private final KnownTenants tenants;
  private final WaitNotifier waitNotifier;

  StopController(
      TenantStopRepository stops, AuditedTransaction transaction, KnownTenants tenants, WaitNotifier waitNotifier) {
    this.stops = stops;
    this.transaction = transaction;
    this.tenants = tenants;
    this.waitNotifier = waitNotifier;
  }

  /// Shows whether a tenant is stopped.
  @Get
  StopView getStop(RequestContext requestContext) {
    tenants.requireExists(requestContext.tenant());
    return StopView.of(stops.find(requestContext.tenant()));
  }

  /// Stops a tenant.
  ///
  /// From now on no upgrade begins in it, whoever wants it; rollouts wait (`stopped`). Upgrades that run go to their
  /// end, and reverts may be started. A tenant that is stopped gets the new reason.
  @Put
  @Secured(Roles.OPERATOR)
  StopView stopTenant(RequestContext requestContext, @Body StopTenantRequest request) {
    tenants.requireExists(requestContext.tenant());
    String tenant = requestContext.tenant();
    return transaction.run(
        requestContext,
        () -> {
          Optional<TenantStopRow> before = stops.find(tenant);
          TenantStopRow row = stops.stop(tenant, request.reason(), requestContext.caller().name());
          if (!before.equals(Optional.of(row))) {
            transaction.recordAudit(requestContext, "tenant.stop", "tenant/" + tenant, row.reason());
          }
          return StopView.of(Optional.of(row));
        });
  }

  /// Ends the stop of a tenant.
  ///
  /// Responds alike if it is not stopped.
  @Delete
  @Secured(Roles.OPERATOR)
  StopView endStop(RequestContext requestContext) {
    tenants.requireExists(requestContext.tenant());
    String tenant = requestContext.tenant();
    StopView ended =
        transaction.run(
            requestContext,
            () -> {
              Optional<TenantStopRow> before = stops.find(tenant);
              if (stops.end(tenant)) {
                String what = before.map(TenantStopRow::describe).orElse("");
                transaction.recordAudit(requestContext, "tenant.end-stop", "tenant/" + tenant, what);
              }
              return StopView.of(Optional.empty());
            });
    if (!requestContext.isValidateOnly()) {
      waitNotifier.notifyTenant(tenant);
    }
    return ended;
  }
}
