package dev.uplift.api.releases;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.api.artifacts.ArtifactFolder;
import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.problem.RequestError;
import dev.uplift.fleet.Release;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.protocol.TrustRoot;
import dev.uplift.protocol.json.MalformedMessage;
import dev.uplift.services.trust.TrustRoots;
import dev.uplift.store.release.NewRelease;
import dev.uplift.store.release.ReleaseRow;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// Decides which releases are accepted: signed by as many release keys as the tenant's root requires, well formed, and
/// with an artifact that is already stored.
@Singleton
final class ReleaseAdmission {
  private final TrustRoots trust;
  private final ArtifactFolder artifacts;
  private final InstantSource clock;

  ReleaseAdmission(TrustRoots trust, ArtifactFolder artifacts, InstantSource clock) {
    this.trust = trust;
    this.artifacts = artifacts;
    this.clock = clock;
  }

  NewRelease admit(String tenant, PublishReleaseRequest request) {
    byte[] bytes = request.release().getBytes(UTF_8);
    checkSignature(root(tenant), bytes, request.signature());
    ReleaseManifest manifest = read(bytes);
    if (!manifest.isForTenant(tenant)) {
      throw unprocessable("/release", "it is for the tenant " + manifest.tenant() + " only");
    }
    manifest.artifact().ifPresent(file -> checkArtifact(tenant, file));
    return new NewRelease(
        tenant,
        new Release(manifest.packageName(), manifest.version()),
        manifest.kind(),
        manifest.sequence(),
        request.release(),
        request.signature(),
        manifest.artifact().map(ReleaseAdmission::artifact),
        manifest.createdAt());
  }

  private static ReleaseRow.Artifact artifact(ReleaseManifest.Artifact file) {
    return new ReleaseRow.Artifact(file.sha256(), file.size());
  }

  private TrustRoot root(String tenant) {
    TrustRoot trustRoot =
        trust
            .newest(tenant)
            .orElseThrow(() ->
                ProblemException.conflict(
                    "%s has no trust root yet, which names the release keys; publish one with `uplift keys root publish`"
                        .formatted(tenant)));
    if (trustRoot.isExpired(clock.instant())) {
      throw ProblemException.conflict(
          "root %d of %s has expired at %s; publish the next one first"
              .formatted(trustRoot.version(), tenant, trustRoot.expiresAt()));
    }
    return trustRoot;
  }

  /// Checked first: a text without trusted signatures is not parsed.
  private static void checkSignature(TrustRoot trustRoot, byte[] bytes, String signature) {
    if (signature.length() > ReleaseManifest.MAX_SIGNATURE_CHARS) {
      throw unprocessable(
          "/signature", "expected at most %d characters".formatted(ReleaseManifest.MAX_SIGNATURE_CHARS));
    }
    if (!trustRoot.verifyRelease(bytes, signature)) {
      TrustRoot.RoleKeys keys = trustRoot.roleKeys(TrustRoot.Role.RELEASE);
      throw unprocessable(
          "/signature",
          "expected signatures of the exact text by %d of the release keys of root %d (%s); create them with `uplift release sign` and `uplift keys sign`"
              .formatted(keys.threshold(), trustRoot.version(), String.join(", ", keys.keys())));
    }
  }

  private static ReleaseManifest read(byte[] bytes) {
    try {
      return ReleaseManifest.read(bytes);
    } catch (MalformedMessage e) {
      throw unprocessable("/release", String.valueOf(e.getMessage()));
    }
  }

  private void checkArtifact(String tenant, ReleaseManifest.Artifact file) {
    Optional<Long> size = artifacts.size(tenant, file.sha256());
    if (size.isEmpty()) {
      throw unprocessable(
          "/release",
          "its artifact is missing; upload it first with PUT /v1/tenants/%s/artifacts/%s"
              .formatted(tenant, file.sha256()));
    }
    if (size.get() != file.size()) {
      throw unprocessable(
          "/release", "expected an artifact of %d bytes, found one of %d".formatted(file.size(), size.get()));
    }
  }

  private static ProblemException unprocessable(String pointer, String detail) {
    return ProblemException.unprocessable(List.of(RequestError.atPointer(pointer, detail)));
  }
}
