package dev.uplift.agent.command;

import dev.uplift.agent.driver.PackageState;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.report.PackageMeasurements;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.ReleaseManifest;

/// What must hold on the host before it is touched. Of what has begun, it may hold no more.
final class HostPreconditions {
  private final String bootId;
  private final PackageMeasurements measurements;

  HostPreconditions(String bootId, PackageMeasurements measurements) {
    this.bootId = bootId;
    this.measurements = measurements;
  }

  /// Returns what was found on the host.
  ///
  /// @throws StepFailed `precondition-failed` or `unsupported-base-version`
  PackageState check(Command command, ReleaseManifest release)
      throws StepFailed, InterruptedException {
    PackageState packageState = measurements.measure(command.packageName());
    boolean isThere = packageState.version().equals(command.version());
    if (!isThere) {
      requireVersion(command, packageState);
    }
    requireBoot(command);
    boolean brings =
        command.action() == CommandAction.PREPARE || command.action() == CommandAction.UPGRADE;
    if (brings && !isThere && !release.canBeInstalledOver(packageState.version())) {
      throw StepFailed.fatal(
          "unsupported-base-version",
          "%s may not be installed over %s".formatted(release.version(), packageState.version()));
    }
    return packageState;
  }

  /// For a reboot, whose boot is no precondition but the question itself.
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

  private static StepFailed preconditionFailed(String what, String expected, String found) {
    return StepFailed.fatal(
        "precondition-failed", "%s: expected %s, found %s".formatted(what, expected, found));
  }
}
