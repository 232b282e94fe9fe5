package dev.uplift.agent.command;

import dev.uplift.agent.driver.PackageState;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.journal.CommandJournal;
import dev.uplift.agent.report.PackageMeasurements;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.Order;
import dev.uplift.protocol.Order.ReleaseOrder;
import dev.uplift.protocol.ReleaseManifest;
import java.io.IOException;

/// Checks what must hold on the host before it is changed. It need not hold any more once work has begun.
final class HostPreconditions {
  private final String bootId;
  private final PackageMeasurements measurements;
  private final CommandJournal journal;

  HostPreconditions(String bootId, PackageMeasurements measurements, CommandJournal journal) {
    this.bootId = bootId;
    this.measurements = measurements;
    this.journal = journal;
  }

  /// Checks the command against what is measured on the host. Before an upgrade, records the version that it sets out
  /// from.
  ///
  /// @throws StepFailed `precondition-failed`, `unsupported-base-version`, or `downgrade` for a rollback to a version
  ///   other than that
  void check(Command command, ReleaseOrder order, ReleaseManifest release)
      throws StepFailed, IOException, InterruptedException {
    PackageState packageState = measurements.measure(command.packageName());
    boolean isKnown = !packageState.version().equals(PackageState.UNKNOWN);
    if (isKnown) {
      journal.recordKnownVersion(command.packageName(), packageState.version());
    }
    boolean isThere = packageState.version().equals(command.version());
    if (!isThere) {
      requireVersion(command, packageState);
    }
    requireBoot(command);
    if (isThere) {
      return;
    }
    switch (order) {
      case Order.Prepare _ -> requireBase(release, packageState);
      case Order.Upgrade _ -> {
        requireBase(release, packageState);
        // One that cannot be measured now, because its service is down, is the one that was last there: otherwise a
        // rollback could lead to any version.
        journal.recordUpgradeFrom(
            command.packageName(), isKnown ? packageState.version() : journal.knownVersion(command.packageName()));
      }
      case Order.Rollback _ -> requireOneStepBack(command);
      case Order.Commit _ -> {}
    }
  }

  /// Checks a reboot, whose boot is no precondition but the question itself.
  void requireVersion(Command command) throws StepFailed, InterruptedException {
    requireVersion(command, measurements.measure(command.packageName()));
  }

  private static void requireVersion(Command command, PackageState packageState) throws StepFailed {
    String expected = command.expect().version();
    if (!expected.isEmpty() && !expected.equals(packageState.version())) {
      throw preconditionFailed("version", expected, packageState.version());
    }
  }

  private void requireBoot(Command command) throws StepFailed {
    String expected = command.expect().bootId();
    if (!expected.isEmpty() && !expected.equals(bootId)) {
      throw preconditionFailed("boot_id", expected, bootId);
    }
  }

  private static void requireBase(ReleaseManifest release, PackageState packageState) throws StepFailed {
    if (!release.canBeInstalledOver(packageState.version())) {
      throw StepFailed.fatal(
          "unsupported-base-version",
          "%s may not be installed over %s".formatted(release.version(), packageState.version()));
    }
  }

  /// A rollback leads to the version that the last upgrade set out from, and no further: a host may hold many old
  /// versions, and the server's key alone must not bring back the oldest of them.
  private void requireOneStepBack(Command command) throws StepFailed {
    String from = journal.upgradedFrom(command.packageName());
    // The driver may know the version before where the server does not.
    boolean isOneStep =
        from.isEmpty() || from.equals(command.version()) || command.version().equals(PackageState.UNKNOWN);
    if (!isOneStep) {
      throw StepFailed.fatal(
          "downgrade",
          "a rollback leads to %s, from where the last upgrade set out, and not to %s"
              .formatted(from, command.version()));
    }
  }

  private static StepFailed preconditionFailed(String what, String expected, String found) {
    return StepFailed.fatal("precondition-failed", "%s: expected %s, found %s".formatted(what, expected, found));
  }
}
