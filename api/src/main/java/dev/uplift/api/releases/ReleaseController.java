package dev.uplift.api.releases;

import dev.uplift.activities.temporal.PolicySignals;
import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.request.AuditedTransaction;
import dev.uplift.api.request.PageResponse;
import dev.uplift.api.request.QueryParameters;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.request.ResponseStatuses;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.api.tenants.KnownTenants;
import dev.uplift.fleet.NameRule;
import dev.uplift.fleet.Release;
import dev.uplift.store.release.NewRelease;
import dev.uplift.store.release.PublishReleaseResult;
import dev.uplift.store.release.ReleaseRepository;
import dev.uplift.store.release.ReleaseRow;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.security.annotation.Secured;
import java.net.URI;

/// Publishes releases, and lists them.
@RequiresApiRole
@Controller("/v1/tenants/{tenant}/releases")
@Secured(Roles.VIEWER)
final class ReleaseController {
  private final ReleaseRepository releases;
  private final ReleaseAdmission admission;
  private final AuditedTransaction transaction;
  private final KnownTenants tenants;
  private final PolicySignals policies;

  ReleaseController(
      ReleaseRepository releases,
      ReleaseAdmission admission,
      AuditedTransaction transaction,
      KnownTenants tenants,
      PolicySignals policies) {
    this.releases = releases;
    this.admission = admission;
    this.transaction = transaction;
    this.tenants = tenants;
    this.policies = policies;
  }

  /// Lists releases.
  ///
  /// All, or those of a package; without their texts and signatures.
  @Get
  @QueryParameters({"package", "cursor", "limit"})
  PageResponse<ReleaseView> listReleases(RequestContext requestContext) {
    tenants.requireExists(requestContext.tenant());
    return PageResponse.of(
        releases.list(
            requestContext.tenant(),
            requestContext.queryName("package", NameRule.PACKAGE),
            requestContext.pageRequest()),
        ReleaseView::summary);
  }

  /// Shows a release.
  ///
  /// With the text that was signed, and its signature.
  @Get("/{package}/{version}")
  ReleaseView getRelease(RequestContext requestContext, Release release) {
    return releases
        .find(requestContext.tenant(), release)
        .map(ReleaseView::full)
        .orElseThrow(() ->
            ProblemException.notFound("there is no release %s in %s".formatted(release, requestContext.tenant())));
  }

  /// Publishes a release.
  ///
  /// It must be signed by as many release keys as the tenant's root requires, and its artifact must be stored. Once
  /// published, its text never changes; the same text again is answered with 200, and with other valid signatures these
  /// replace the earlier ones.
  @Post
  @Secured(Roles.ADMIN)
  @ResponseStatuses({200, 201, 409, 422})
  HttpResponse<ReleaseView> publishRelease(RequestContext requestContext, @Body PublishReleaseRequest request) {
    tenants.requireExists(requestContext.tenant());
    NewRelease release = admission.admit(requestContext.tenant(), request);
    HttpResponse<ReleaseView> response = transaction.run(requestContext, () -> publish(requestContext, release));
    policies.recheckPackage(requestContext.tenant(), release.release().packageName());
    return response;
  }

  private HttpResponse<ReleaseView> publish(RequestContext requestContext, NewRelease release) {
    return switch (releases.put(release)) {
      case PublishReleaseResult.Recorded(ReleaseRow row) -> {
        String name = row.release().packageName() + "/" + row.release().version();
        transaction.recordAudit(requestContext, "release.publish", "release/" + name, row.manifest());
        yield HttpResponse.created(
            ReleaseView.full(row), URI.create("/v1/tenants/%s/releases/%s".formatted(requestContext.tenant(), name)));
      }
      case PublishReleaseResult.Unchanged(ReleaseRow row) -> HttpResponse.ok(ReleaseView.full(row));
      case PublishReleaseResult.SignaturesReplaced(ReleaseRow row) -> {
        transaction.recordAudit(
            requestContext,
            "release.add-signature",
            "release/" + row.release().packageName() + "/" + row.release().version(),
            row.signature());
        yield HttpResponse.ok(ReleaseView.full(row));
      }
      case PublishReleaseResult.ContentDiffers(ReleaseRow found) ->
          throw ProblemException.conflict(
              "%s was published at %s with another text and cannot change; publish a"
                      .formatted(found.release(), found.recordedAt())
                  + " new version");
      case PublishReleaseResult.SequenceTaken(ReleaseRow holder) ->
          throw ProblemException.conflict(
              "%s has the sequence %d already; each version of a package has one of its own"
                  .formatted(holder.release(), holder.sequence()));
    };
  }
}
