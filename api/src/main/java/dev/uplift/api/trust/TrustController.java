package dev.uplift.api.trust;

import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.request.AuditedTransaction;
import dev.uplift.api.request.QueryParameters;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.request.ResponseStatuses;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.api.tenants.KnownTenants;
import dev.uplift.protocol.SignedTrustRoot;
import dev.uplift.services.trust.TrustRootPublisher;
import dev.uplift.store.trust.TrustRootRepository;
import dev.uplift.store.trust.TrustRootRow;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Put;
import io.micronaut.security.annotation.Secured;
import java.net.URI;
import java.util.Optional;
import java.util.regex.Pattern;

/// Publishes the next root of a tenant, and lists its roots.
@RequiresApiRole
@Controller("/v1/tenants/{tenant}/trust")
@Secured(Roles.VIEWER)
final class TrustController {
  private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,17}");

  private final TrustRootRepository roots;
  private final RootAdmission admission;
  private final RootViews views;
  private final AuditedTransaction transaction;
  private final KnownTenants tenants;
  private final TrustRootPublisher stream;

  TrustController(
      TrustRootRepository roots,
      RootAdmission admission,
      RootViews views,
      AuditedTransaction transaction,
      KnownTenants tenants,
      TrustRootPublisher stream) {
    this.roots = roots;
    this.admission = admission;
    this.views = views;
    this.transaction = transaction;
    this.tenants = tenants;
    this.stream = stream;
  }

  /// Shows the newest trust root of the tenant.
  @Get
  RootView getNewestRoot(RequestContext requestContext) {
    tenants.requireExists(requestContext.tenant());
    return roots
        .findNewest(requestContext.tenant())
        .map(views::of)
        .orElseThrow(() -> ProblemException.notFound(requestContext.tenant() + " has no root yet"));
  }

  /// Shows a trust root.
  ///
  /// With the text that was signed, and its signatures.
  @Get("/{root_version}")
  RootView getRoot(RequestContext requestContext, @PathVariable("root_version") String number) {
    tenants.requireExists(requestContext.tenant());
    long version = parse(number);
    return roots
        .find(requestContext.tenant(), version)
        .map(views::of)
        .orElseThrow(
            () -> ProblemException.notFound("there is no root %d of %s".formatted(version, requestContext.tenant())));
  }

  /// Publishes the next trust root.
  ///
  /// It must be the version after the newest, signed by a threshold of root keys of that one and of its own; the first
  /// by its own alone, and with a token of all tenants (`*`). Every host of the tenant takes it before it accepts the
  /// next command. It never changes; the same again is answered with 200.
  @Put("/{root_version}")
  @Secured(Roles.ADMIN)
  @QueryParameters("new_chain")
  @ResponseStatuses({200, 201, 409, 422})
  HttpResponse<RootView> publishRoot(
      RequestContext requestContext, @PathVariable("root_version") String number, @Body PublishRootRequest request) {
    tenants.requireExists(requestContext.tenant());
    long version = parse(number);
    SignedTrustRoot root = RootAdmission.read(request);
    HttpResponse<RootView> answer = transaction.run(requestContext, () -> publish(requestContext, version, root));
    if (!requestContext.isValidateOnly()) {
      stream.publishMissing();
    }
    return answer;
  }

  private static long parse(String number) {
    if (!NUMBER.matcher(number).matches()) {
      throw RequestContext.invalidParameter(
          "root_version", "expected the number of a root such as 2, found \"%s\"".formatted(number));
    }
    return Long.parseLong(number);
  }

  private HttpResponse<RootView> publish(RequestContext requestContext, long version, SignedTrustRoot root) {
    String tenant = requestContext.tenant();
    Optional<TrustRootRow> before = roots.find(tenant, version);
    if (before.filter(row -> row.document().equals(root.root())).isPresent()) {
      return HttpResponse.ok(views.of(before.get()));
    }
    admission.check(requestContext, version, root);
    TrustRootRow row = roots.putIfAbsent(tenant, version, root.root(), root.signature());
    if (!row.document().equals(root.root())) {
      throw RootAdmission.versionTaken(row);
    }
    transaction.recordAudit(requestContext, "trust.publish", "trust/" + version, row.document());
    return HttpResponse.created(views.of(row), URI.create("/v1/tenants/%s/trust/%d".formatted(tenant, version)));
  }
}
