package dev.uplift.api.artifacts;

import dev.uplift.api.artifacts.ArtifactFolder.Artifact;
import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.services.artifacts.ArtifactUrlSigner;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpParameters;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Head;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.server.types.files.StreamedFile;
import io.micronaut.security.annotation.Secured;
import io.micronaut.security.rules.SecurityRule;
import io.swagger.v3.oas.annotations.Hidden;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/// Serves artifacts to hosts. The URL is the permission: it has no token, but the server's MAC of tenant, host, digest
/// and expiry. An interrupted transfer can be continued.
@RequiresApiRole
@Controller("/artifacts/{sha256}")
@Secured(SecurityRule.IS_ANONYMOUS)
@Hidden
final class ArtifactDownloadController {
  private final ArtifactFolder folder;
  private final ArtifactUrlSigner addresses;
  private final InstantSource clock;

  ArtifactDownloadController(ArtifactFolder folder, ArtifactUrlSigner addresses, InstantSource clock) {
    this.folder = folder;
    this.addresses = addresses;
    this.clock = clock;
  }

  @Get(headRoute = false)
  @Produces(MediaType.ALL)
  HttpResponse<StreamedFile> get(HttpRequest<?> request, String sha256) throws IOException {
    Artifact artifact = authorize(request, sha256);
    String tag = "\"" + sha256 + "\"";
    long size = artifact.sizeBytes();
    return switch (ByteRange.parse(rangeHeader(request, tag), size)) {
      case ByteRange.Requested.WholeFile() -> respond(HttpStatus.OK, artifact, tag, 0, size);
      case ByteRange.Requested.Part(ByteRange range) ->
          respond(HttpStatus.PARTIAL_CONTENT, artifact, tag, range.first(), range.length())
              .header(HttpHeaders.CONTENT_RANGE, range.contentRange(size));
      case ByteRange.Requested.Unsatisfiable() ->
          throw ProblemException.of(
                  HttpStatus.REQUESTED_RANGE_NOT_SATISFIABLE, "the artifact has %d bytes".formatted(size))
              .withHeader(HttpHeaders.CONTENT_RANGE, "bytes */" + size);
    };
  }

  @Head
  @Produces(MediaType.ALL)
  HttpResponse<?> head(HttpRequest<?> request, String sha256) {
    Artifact artifact = authorize(request, sha256);
    return withArtifactHeaders(HttpResponse.ok(), "\"" + sha256 + "\"")
        .header(HttpHeaders.CONTENT_TYPE, MediaType.APPLICATION_OCTET_STREAM)
        .header(HttpHeaders.CONTENT_LENGTH, Long.toString(artifact.sizeBytes()));
  }

  private Artifact authorize(HttpRequest<?> request, String sha256) {
    HttpParameters query = request.getParameters();
    String tenant = query.get("tenant", String.class, "");
    String expires = query.get("expires", String.class, "");
    String mac = query.get("mac", String.class, "");
    if (!addresses.isValid(tenant, query.get("host", String.class, ""), sha256, expires, mac)) {
      throw forbidden("this URL is not signed by the server");
    }
    Instant end = Instant.ofEpochSecond(Long.parseLong(expires));
    if (end.isBefore(clock.instant())) {
      throw forbidden("this URL expired at %s; a new command has a new one".formatted(end));
    }
    return folder.find(tenant, sha256).orElseThrow(() -> ProblemException.notFound("there is no artifact " + sha256));
  }

  private static ProblemException forbidden(String detail) {
    return ProblemException.of(HttpStatus.FORBIDDEN, detail);
  }

  /// Returns the requested range, unless it is one of another version of the artifact.
  private static Optional<String> rangeHeader(HttpRequest<?> request, String tag) {
    return request.getHeaders().findFirst(HttpHeaders.IF_RANGE).filter(wanted -> !wanted.equals(tag)).isPresent()
        ? Optional.empty()
        : request.getHeaders().findFirst(HttpHeaders.RANGE);
  }

  private static MutableHttpResponse<StreamedFile> respond(
      HttpStatus status, Artifact artifact, String tag, long first, long length) throws IOException {
    InputStream bytes = new LimitedInputStream(open(artifact, first), length);
    return withArtifactHeaders(HttpResponse.<StreamedFile>status(status), tag)
        .body(new StreamedFile(bytes, MediaType.APPLICATION_OCTET_STREAM_TYPE, Instant.EPOCH.toEpochMilli(), length));
  }

  private static <T> MutableHttpResponse<T> withArtifactHeaders(MutableHttpResponse<T> response, String tag) {
    return response.header(HttpHeaders.ACCEPT_RANGES, "bytes").header(HttpHeaders.ETAG, tag);
  }

  private static InputStream open(Artifact artifact, long first) throws IOException {
    return Channels.newInputStream(FileChannel.open(artifact.file()).position(first));
  }
}
