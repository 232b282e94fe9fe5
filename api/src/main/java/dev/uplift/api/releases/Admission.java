package dev.uplift.api.releases;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.activities.trust.Trust;
import dev.uplift.api.artifacts.ArtifactFolder;
import dev.uplift.api.json.Body;
import dev.uplift.api.json.Field;
import dev.uplift.api.json.Shapes;
import dev.uplift.api.problem.Fault;
import dev.uplift.api.problem.Refusal;
import dev.uplift.fleet.Release;
import dev.uplift.protocol.MalformedMessage;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.protocol.Root;
import dev.uplift.store.NewRelease;
import dev.uplift.store.ReleaseRow;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// Decides which releases come in: signed by as many release keys as the tenant's root wants, well
/// formed, and with the artifact that they name already there.
@Singleton
final class Admission {
  private final Trust trust;
  private final ArtifactFolder artifacts;
  private final InstantSource clock;

  Admission(Trust trust, ArtifactFolder artifacts, InstantSource clock) {
    this.trust = trust;
    this.artifacts = artifacts;
    this.clock = clock;
  }

  NewRelease admit(String tenant, Body in) {
    Field<String> text = in.required("release", Shapes.EXACT);
    Field<String> signature = in.required("signature", Shapes.EXACT);
    in.done();
    byte[] bytes = text.get().getBytes(UTF_8);
    checkSignature(root(tenant), bytes, signature.get());
    ReleaseManifest manifest = read(bytes);
    if (!manifest.isFor(tenant)) {
      throw unacceptable("/release", "it is for the tenant " + manifest.tenant() + " alone");
    }
    manifest.artifact().ifPresent(file -> checkArtifact(tenant, file));
    return new NewRelease(
        tenant,
        new Release(manifest.packageName(), manifest.version()),
        manifest.kind(),
        manifest.sequence(),
        text.get(),
        signature.get(),
        manifest.artifact().map(Admission::artifact),
        manifest.createdAt());
  }

  private static ReleaseRow.Artifact artifact(ReleaseManifest.Artifact file) {
    return new ReleaseRow.Artifact(file.sha256(), file.size());
  }

  private Root root(String tenant) {
    Root root =
        trust
            .of(tenant)
            .orElseThrow(() ->
                Refusal.conflict(
                    "%s has no root yet, which says whose signatures count; `uplift keys root publish` brings it"
                        .formatted(tenant)));
    if (root.isExpired(clock.instant())) {
      throw Refusal.conflict(
          "root %d of %s has expired at %s; publish the next one first"
              .formatted(root.version(), tenant, root.expiresAt()));
    }
    return root;
  }

  /// First of all: what nobody trusted has signed is not looked into.
  private static void checkSignature(Root root, byte[] bytes, String signature) {
    if (signature.length() > ReleaseManifest.MAX_SIGNATURE_CHARS) {
      throw unacceptable(
          "/signature",
          "expected at most %d characters".formatted(ReleaseManifest.MAX_SIGNATURE_CHARS));
    }
    if (!root.hasRelease(bytes, signature)) {
      Root.Holders keys = root.holders(Root.Role.RELEASE);
      throw unacceptable(
          "/signature",
          "expected signatures of the exact text by %d of the release keys of root %d (%s); `uplift release sign` and `uplift keys sign` make them"
              .formatted(keys.threshold(), root.version(), String.join(", ", keys.keys())));
    }
  }

  private static ReleaseManifest read(byte[] bytes) {
    try {
      return ReleaseManifest.read(bytes);
    } catch (MalformedMessage e) {
      throw unacceptable("/release", String.valueOf(e.getMessage()));
    }
  }

  private void checkArtifact(String tenant, ReleaseManifest.Artifact file) {
    Optional<Long> size = artifacts.size(tenant, file.sha256());
    if (size.isEmpty()) {
      throw unacceptable(
          "/release",
          "its artifact is not there; bring it first with PUT /v1/tenants/%s/artifacts/%s"
              .formatted(tenant, file.sha256()));
    }
    if (size.get() != file.size()) {
      throw unacceptable(
          "/release",
          "it says that its artifact has %d bytes, which has %d"
              .formatted(file.size(), size.get()));
    }
  }

  private static Refusal unacceptable(String pointer, String detail) {
    return Refusal.unacceptable(List.of(Fault.at(pointer, detail)));
  }
}
