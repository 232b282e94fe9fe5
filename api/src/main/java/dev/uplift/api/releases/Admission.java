package dev.uplift.api.releases;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.api.artifacts.ArtifactFolder;
import dev.uplift.api.json.Body;
import dev.uplift.api.json.Field;
import dev.uplift.api.json.Shape;
import dev.uplift.api.json.Wrong;
import dev.uplift.api.problem.Fault;
import dev.uplift.api.problem.Refusal;
import dev.uplift.fleet.Release;
import dev.uplift.protocol.MalformedMessage;
import dev.uplift.protocol.Purpose;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.protocol.TrustedKeys;
import dev.uplift.store.NewRelease;
import dev.uplift.store.ReleaseRow;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;

/// Decides which releases come in: signed by a key that is trusted, well formed, and with the
/// artifact that they name already there.
@Singleton
final class Admission {
  /// A text as it was signed, line breaks included.
  private static final Shape<String> EXACT =
      json -> {
        if (!json.isString()) {
          throw Wrong.because("expected the text of the file");
        }
        return json.stringValue();
      };

  private final TrustedKeys keys;
  private final ArtifactFolder artifacts;

  Admission(TrustedKeys keys, ArtifactFolder artifacts) {
    this.keys = keys;
    this.artifacts = artifacts;
  }

  NewRelease admit(String tenant, Body in) {
    Field<String> text = in.required("release", EXACT);
    Field<String> signature = in.required("signature", EXACT);
    in.done();
    byte[] bytes = text.get().getBytes(UTF_8);
    checkSignature(bytes, signature.get());
    ReleaseManifest manifest = read(bytes);
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

  /// First of all: what nobody trusted has signed is not looked into.
  private void checkSignature(byte[] bytes, String signature) {
    if (signature.length() > ReleaseManifest.MAX_SIGNATURE_CHARS) {
      throw unacceptable(
          "/signature",
          "expected at most %d characters".formatted(ReleaseManifest.MAX_SIGNATURE_CHARS));
    }
    if (!keys.trust(Purpose.RELEASE, bytes, signature)) {
      throw unacceptable(
          "/signature",
          "expected a signature of the exact text by one of the trusted keys (%s); `uplift release sign` makes it"
              .formatted(String.join(", ", keys.keyIds().stream().sorted().toList())));
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
