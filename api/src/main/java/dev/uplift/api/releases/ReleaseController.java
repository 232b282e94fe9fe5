package dev.uplift.api.releases;

import dev.uplift.api.call.Call;
import dev.uplift.api.call.Changes;
import dev.uplift.api.call.Ids;
import dev.uplift.api.call.Listing;
import dev.uplift.api.call.Takes;
import dev.uplift.api.json.Body;
import dev.uplift.api.problem.Refusal;
import dev.uplift.api.security.Role;
import dev.uplift.api.settings.ForApi;
import dev.uplift.api.tenants.KnownTenants;
import dev.uplift.fleet.Release;
import dev.uplift.store.NewRelease;
import dev.uplift.store.Published;
import dev.uplift.store.ReleaseRow;
import dev.uplift.store.Releases;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.security.annotation.Secured;
import java.net.URI;

/// Takes releases in, and says which there are.
@ForApi
@Controller("/v1/tenants/{tenant}/releases")
@Secured(Role.VIEWER)
final class ReleaseController {
  private final Releases releases;
  private final Admission admission;
  private final Changes changes;
  private final KnownTenants tenants;

  ReleaseController(Releases releases, Admission admission, Changes changes, KnownTenants tenants) {
    this.releases = releases;
    this.admission = admission;
    this.changes = changes;
    this.tenants = tenants;
  }

  @Get
  @Takes({"package", "cursor", "limit"})
  Listing<ReleaseView> list(Call call) {
    tenants.check(call.tenant());
    return Listing.of(
        releases.list(call.tenant(), call.text("package"), call.page()), ReleaseView::brief);
  }

  @Get("/{package}/{version}")
  ReleaseView get(
      Call call,
      @io.micronaut.http.annotation.PathVariable("package") String packageName,
      String version) {
    Release release = Ids.release(packageName, version);
    return releases
        .find(call.tenant(), release)
        .map(ReleaseView::whole)
        .orElseThrow(() ->
            Refusal.notFound("there is no release %s in %s".formatted(release, call.tenant())));
  }

  @Post
  @Secured(Role.ADMIN)
  HttpResponse<ReleaseView> publish(Call call, HttpRequest<?> request) {
    tenants.check(call.tenant());
    NewRelease release = admission.admit(call.tenant(), Body.of(request));
    return changes.make(call, () -> publish(call, release));
  }

  private HttpResponse<ReleaseView> publish(Call call, NewRelease release) {
    return switch (releases.put(release)) {
      case Published.Recorded(ReleaseRow row) -> {
        String name = row.release().packageName() + "/" + row.release().version();
        changes.note(call, "release.publish", "release/" + name, row.text());
        yield HttpResponse.created(
            ReleaseView.whole(row),
            URI.create("/v1/tenants/%s/releases/%s".formatted(call.tenant(), name)));
      }
      case Published.Same(ReleaseRow row) -> HttpResponse.ok(ReleaseView.whole(row));
      case Published.SignedAnew(ReleaseRow row) -> {
        changes.note(
            call,
            "release.sign",
            "release/" + row.release().packageName() + "/" + row.release().version(),
            row.signature());
        yield HttpResponse.ok(ReleaseView.whole(row));
      }
      case Published.Different(ReleaseRow found) ->
          throw Refusal.conflict(
              "%s was published at %s with another text, and never changes; publish a"
                      .formatted(found.release(), found.recordedAt())
                  + " new version");
      case Published.SequenceTaken(ReleaseRow by) ->
          throw Refusal.conflict(
              "%s has the sequence %d already; each version of a package has one of its own"
                  .formatted(by.release(), by.sequence()));
    };
  }
}
