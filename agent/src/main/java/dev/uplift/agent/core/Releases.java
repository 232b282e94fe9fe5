package dev.uplift.agent.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.agent.driver.Driver;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.ops.Ops;
import dev.uplift.protocol.Action;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.MalformedMessage;
import dev.uplift.protocol.Purpose;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.protocol.TrustedKeys;
import java.util.SortedMap;

/// Whether the two authorities agree: the release is signed by who may say that it exists, the
/// command by who may send it, and both speak of the same.
final class Releases {
  private final SortedMap<String, HostPackage> packages;
  private final TrustedKeys trusted;
  private final Ops ops;

  Releases(SortedMap<String, HostPackage> packages, TrustedKeys trusted, Ops ops) {
    this.packages = packages;
    this.trusted = trusted;
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
    if (!trusted.trust(Purpose.RELEASE, text, command.releaseSignature())) {
      throw StepFailed.fatal(
          "release-untrusted", "the release is not signed by a key that is trusted here");
    }
    ReleaseManifest release = read(text);
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
    if (release.sequence() < had && !command.allowDowngrade()) {
      throw StepFailed.fatal(
          "downgrade",
          "sequence %d is older than %d, which this host has had, and nobody allows it"
              .formatted(release.sequence(), had));
    }
  }
}
