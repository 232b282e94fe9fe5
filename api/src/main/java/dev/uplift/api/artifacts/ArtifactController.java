package dev.uplift.api.artifacts;

import dev.uplift.api.artifacts.ArtifactFolder.UploadResult;
import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.problem.RequestError;
import dev.uplift.api.request.AuditedTransaction;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.request.ResponseStatuses;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
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

/// Stores uploaded artifacts, as streams of any size.
@RequiresApiRole
@Controller("/v1/tenants/{tenant}/artifacts/{sha256}")
@Secured(Roles.VIEWER)
final class ArtifactController {
  private static final Logger LOG = LoggerFactory.getLogger(ArtifactController.class);

  private final ArtifactFolder folder;
  private final AuditedTransaction transaction;
  private final KnownTenants tenants;

  ArtifactController(ArtifactFolder folder, AuditedTransaction transaction, KnownTenants tenants) {
    this.folder = folder;
    this.transaction = transaction;
    this.tenants = tenants;
  }

  /// Shows the size of an artifact.
  ///
  /// Of the tenant's own artifacts; 404 if it is not stored.
  @Get
  ArtifactView getArtifact(RequestContext requestContext, String sha256) {
    tenants.requireExists(requestContext.tenant());
    String digest = ArtifactDigest.requireValid(sha256);
    return folder
        .size(requestContext.tenant(), digest)
        .map(size -> new ArtifactView(digest, size))
        .orElseThrow(() -> ProblemException.notFound("there is no artifact " + digest));
  }

  /// Uploads an artifact.
  ///
  /// The body is streamed; it is stored if it has the SHA-256 of the path. Of any content type, and at most 16 GB. All
  /// artifacts of a tenant together have a quota (507).
  @Put
  @Consumes(MediaType.ALL)
  @Secured(Roles.ADMIN)
  @ResponseStatuses({200, 201, 413, 422, 507})
  HttpResponse<ArtifactView> putArtifact(RequestContext requestContext, String sha256, HttpRequest<?> request) {
    tenants.requireExists(requestContext.tenant());
    String digest = ArtifactDigest.requireValid(sha256);
    return switch (upload(requestContext, digest, request)) {
      case UploadResult.Stored(long size) -> {
        var view = new ArtifactView(digest, size);
        yield HttpResponse.created(transaction.run(requestContext, () -> recordUpload(requestContext, view)));
      }
      case UploadResult.AlreadyStored(long size) -> HttpResponse.ok(new ArtifactView(digest, size));
      case UploadResult.DigestMismatch(String found) ->
          throw ProblemException.unprocessable(
              List.of(RequestError.parameter("sha256", "the SHA-256 of the body is " + found)));
      case UploadResult.NoSpace(String reason) ->
          // The rest of the body is not read, so the connection ends.
          throw ProblemException.of(HttpStatus.INSUFFICIENT_STORAGE, reason).withHeader("Connection", "close");
    };
  }

  private UploadResult upload(RequestContext requestContext, String digest, HttpRequest<?> request) {
    // Opened last, because a body of which a part was read has to be read to its end.
    try (InputStream body = body(request)) {
      return folder.put(
          requestContext.tenant(), digest, body, request.getContentLength(), !requestContext.isValidateOnly());
    } catch (IOException e) {
      // A full disk, or a client that disconnected.
      LOG.warn("artifact {} of {} was not stored: {}", digest, requestContext.tenant(), e.toString());
      throw ProblemException.of(HttpStatus.INSUFFICIENT_STORAGE, "the artifact could not be stored; try again");
    }
  }

  private static InputStream body(HttpRequest<?> request) {
    return ((ServerHttpRequest<?>) request).byteBody().toInputStream();
  }

  private ArtifactView recordUpload(RequestContext requestContext, ArtifactView view) {
    transaction.recordAudit(requestContext, "artifact.put", "artifact/" + view.sha256(), view.size() + " bytes");
    return view;
  }
}
