package dev.uplift.agent.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.agent.driver.Driver;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.ops.Ops;
import dev.uplift.protocol.Action;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.MalformedMessage;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.protocol.Root;
import dev.uplift.protocol.TrustedKeys;
import java.util.SortedMap;
import java.util.TreeSet;

/// Whether the two authorities agree: the release is signed by who may say that it exists, the
/// command by who may send it, and both speak of the same.
final class Releases {
  private final SortedMap<String, HostPackage> packages;
  private final Trust trust;
  private final Ops ops;

  Releases(SortedMap<String, HostPackage> packages, Trust trust, Ops ops) {
    this.packages = packages;
    this.trust = trust;
    this.ops = ops;
  }

  /// The release that a command is about, and who can bring it.
  record Known(ReleaseManifest release, Driver driver) {}

  /// @throws StepFailed where they do not agree, or it is none for this host
  Known of(Command command) throws StepFailed {
    HostPackage known = packages.get(command.packageName());
    if (known == null) {
      throw StepFailed.fatal(
          "unknown-package", "this host has no package " + command.packageName());
    }
    byte[] text = command.release().getBytes(UTF_8);
    if (!trust.root().hasRelease(text, command.releaseSignature())) {
      throw untrusted();
    }
    ReleaseManifest release = read(text);
    if (!release.isFor(command.tenant())) {
      throw StepFailed.fatal(
          "release-mismatch",
          "tenant: this host is of %s, the release for %s"
              .formatted(command.tenant(), release.tenant()));
    }
    agree("package", command.packageName(), release.packageName());
    agree("kind", known.kind(), release.kind());
    if (command.action() != Action.ROLLBACK) {
      // A roll back names the version from before, and the release that is taken back.
      agree("version", command.version(), release.version());
    }
    if (!command.digest().isEmpty()) {
      String signed = release.artifact().map(ReleaseManifest.Artifact::sha256).orElse("none");
      agree("digest", command.digest(), signed);
    }
    if (command.action() == Action.PREPARE || command.action() == Action.UPGRADE) {
      refuseOlder(command, release);
    }
    return new Known(release, known.driver());
  }

  /// The keys may have changed since the command was written: the next one carries the signatures
  /// that the release has by then.
  private StepFailed untrusted() {
    TrustedKeys keys = trust.root().trusted(Root.Role.RELEASE);
    return StepFailed.retryable(
        "release-untrusted",
        "root %d wants signatures of %d of %s"
            .formatted(trust.root().version(), keys.threshold(), new TreeSet<>(keys.keyIds())));
  }

  private static ReleaseManifest read(byte[] text) throws StepFailed {
    try {
      return ReleaseManifest.read(text);
    } catch (MalformedMessage e) {
      throw StepFailed.fatal("release-malformed", String.valueOf(e.getMessage()));
    }
  }

  private static void agree(String what, String wanted, String signed) throws StepFailed {
    if (!wanted.equals(signed)) {
      throw StepFailed.fatal(
          "release-mismatch",
          "%s: %s is wanted, the release says %s".formatted(what, wanted, signed));
    }
  }

  private void refuseOlder(Command command, ReleaseManifest release) throws StepFailed {
    long had = ops.sequence(release.packageName());
    if (release.sequence() >= had) {
      return;
    }
    String older =
        "sequence %d is older than %d, which this host has had, and "
            .formatted(release.sequence(), had);
    if (!command.allowDowngrade()) {
      throw StepFailed.fatal("downgrade", older + "nobody allows it");
    }
    byte[] text = command.release().getBytes(UTF_8);
    if (!trust.root().mayGoBackTo(text, command.releaseSignature())) {
      // Else a command key in the wrong hands could bring back every hole that was ever mended.
      throw StepFailed.fatal("downgrade", older + "the release keys do not allow it");
    }
  }
}
