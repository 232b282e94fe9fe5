package dev.uplift.api.artifacts;

import dev.uplift.api.artifacts.ArtifactFolder.Upload;
import dev.uplift.api.call.Call;
import dev.uplift.api.call.Changes;
import dev.uplift.api.problem.Fault;
import dev.uplift.api.problem.Refusal;
import dev.uplift.api.security.Role;
import dev.uplift.api.settings.ForApi;
import dev.uplift.api.tenants.KnownTenants;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.ServerHttpRequest;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Put;
import io.micronaut.security.annotation.Secured;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes artifacts in, as streams of any size.
@ForApi
@Controller("/v1/tenants/{tenant}/artifacts/{sha256}")
@Secured(Role.VIEWER)
final class ArtifactController {
  private static final Logger LOG = LoggerFactory.getLogger(ArtifactController.class);

  private final ArtifactFolder folder;
  private final Changes changes;
  private final KnownTenants tenants;

  ArtifactController(ArtifactFolder folder, Changes changes, KnownTenants tenants) {
    this.folder = folder;
    this.changes = changes;
    this.tenants = tenants;
  }

  @Get
  ArtifactView get(Call call, String sha256) {
    String digest = Digest.checked(sha256);
    return folder
        .size(call.tenant(), digest)
        .map(size -> new ArtifactView(digest, size))
        .orElseThrow(() -> Refusal.notFound("there is no artifact " + digest));
  }

  @Put
  @Consumes(MediaType.ALL)
  @Secured(Role.ADMIN)
  HttpResponse<ArtifactView> put(Call call, String sha256, HttpRequest<?> request) {
    tenants.check(call.tenant());
    String digest = Digest.checked(sha256);
    return switch (upload(call, digest, request)) {
      case Upload.Kept(long size) -> {
        var view = new ArtifactView(digest, size);
        yield HttpResponse.created(changes.make(call, () -> noted(call, view)));
      }
      case Upload.WasThere(long size) -> HttpResponse.ok(new ArtifactView(digest, size));
      case Upload.Other(String found) ->
          throw Refusal.unacceptable(
              List.of(Fault.parameter("sha256", "the SHA-256 of the body is " + found)));
    };
  }

  private Upload upload(Call call, String digest, HttpRequest<?> request) {
    // Opened no sooner: a body that somebody has begun to read has to be read to its end.
    try (InputStream body = body(request)) {
      return folder.put(call.tenant(), digest, body, !call.validates());
    } catch (IOException e) {
      // A full disk, or a client that went away.
      LOG.warn("artifact {} of {} was not kept: {}", digest, call.tenant(), e.toString());
      throw Refusal.of(
          HttpStatus.INSUFFICIENT_STORAGE, "the artifact could not be kept; try again");
    }
  }

  private static InputStream body(HttpRequest<?> request) {
    return ((ServerHttpRequest<?>) request).byteBody().toInputStream();
  }

  private ArtifactView noted(Call call, ArtifactView view) {
    changes.note(call, "artifact.put", "artifact/" + view.sha256(), view.size() + " bytes");
    return view;
  }
}
