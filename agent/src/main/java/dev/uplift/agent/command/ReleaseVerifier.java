package dev.uplift.agent.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.agent.driver.Driver;
import dev.uplift.agent.driver.HostPackage;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.journal.CommandJournal;
import dev.uplift.agent.trust.TrustStore;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.Order;
import dev.uplift.protocol.Order.ReleaseOrder;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.protocol.TrustRoot;
import dev.uplift.protocol.json.MalformedMessage;
import dev.uplift.protocol.signature.TrustedKeys;
import java.util.SortedMap;
import java.util.TreeSet;

/// Checks that the two authorities agree: the release is signed by release keys, the command by a command key, and both
/// name the same release.
final class ReleaseVerifier {
  private final SortedMap<String, HostPackage> packages;
  private final TrustStore trustStore;
  private final CommandJournal journal;

  ReleaseVerifier(SortedMap<String, HostPackage> packages, TrustStore trustStore, CommandJournal journal) {
    this.packages = packages;
    this.trustStore = trustStore;
    this.journal = journal;
  }

  /// The release that a command is about, and the driver of its package.
  record VerifiedRelease(ReleaseManifest release, Driver driver) {}

  /// @throws StepFailed if they do not agree, or the release is not for this host
  VerifiedRelease verify(Command command, ReleaseOrder order) throws StepFailed {
    HostPackage known = packages.get(command.packageName());
    if (known == null) {
      throw StepFailed.fatal("unknown-package", "this host has no package " + command.packageName());
    }
    byte[] text = order.release().manifest().getBytes(UTF_8);
    if (!trustStore.root().verifyRelease(text, order.release().signature())) {
      throw untrusted();
    }
    ReleaseManifest release = read(text);
    if (!release.isForTenant(command.tenant())) {
      throw StepFailed.fatal(
          "release-mismatch",
          "tenant: this host is of %s, the release for %s".formatted(command.tenant(), release.tenant()));
    }
    requireEqual("package", command.packageName(), release.packageName());
    requireEqual("kind", known.kind(), release.kind());
    if (!(order instanceof Order.Rollback)) {
      // A rollback names the version before, and the release that is rolled back.
      requireEqual("version", command.version(), release.version());
    }
    if (order instanceof Order.Upgrade upgrade && !upgrade.digest().isEmpty()) {
      String signed = release.artifact().map(ReleaseManifest.Artifact::sha256).orElse("none");
      requireEqual("digest", upgrade.digest(), signed);
    }
    if (order instanceof Order.InstallOrder install) {
      rejectDowngrade(install, release);
    }
    return new VerifiedRelease(release, known.driver());
  }

  /// Retryable: the keys may have changed since the command was created; the next one carries the signatures that the
  /// release has by then.
  private StepFailed untrusted() {
    TrustedKeys keys = trustStore.root().trustedKeys(TrustRoot.Role.RELEASE);
    return StepFailed.retryable(
        "release-untrusted",
        "root %d wants signatures of %d of %s"
            .formatted(trustStore.root().version(), keys.threshold(), new TreeSet<>(keys.keyIds())));
  }

  private static ReleaseManifest read(byte[] text) throws StepFailed {
    try {
      return ReleaseManifest.read(text);
    } catch (MalformedMessage e) {
      throw StepFailed.fatal("release-malformed", String.valueOf(e.getMessage()));
    }
  }

  private static void requireEqual(String what, String wanted, String signed) throws StepFailed {
    if (!wanted.equals(signed)) {
      throw StepFailed.fatal(
          "release-mismatch", "%s: %s is wanted, the release says %s".formatted(what, wanted, signed));
    }
  }

  private void rejectDowngrade(Order.InstallOrder order, ReleaseManifest release) throws StepFailed {
    long had = journal.sequence(release.packageName());
    if (release.sequence() >= had) {
      return;
    }
    String older = "sequence %d is older than %d, which this host has had, and ".formatted(release.sequence(), had);
    if (!order.allowDowngrade()) {
      throw StepFailed.fatal("downgrade", older + "the command does not allow it");
    }
    byte[] text = order.release().manifest().getBytes(UTF_8);
    if (!trustStore.root().verifyDowngrade(text, order.release().signature())) {
      // Else a stolen command key could bring back every hole that was ever closed.
      throw StepFailed.fatal("downgrade", older + "the release keys do not allow it");
    }
  }
}
