package dev.uplift.agent.core;

import dev.uplift.agent.driver.Found;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.protocol.Action;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.ReleaseManifest;

/// What must hold on the host before it is touched. Of what has begun, it may hold no more.
final class Preconditions {
  private final String bootId;
  private final Measurements measurements;

  Preconditions(String bootId, Measurements measurements) {
    this.bootId = bootId;
    this.measurements = measurements;
  }

  /// Returns what was found on the host.
  ///
  /// @throws StepFailed `precondition-failed` or `wrong-base`
  Found check(Command command, ReleaseManifest release) throws StepFailed, InterruptedException {
    Found found = measurements.now(command.packageName());
    boolean isThere = found.version().equals(command.version());
    if (!isThere) {
      checkVersion(command, found);
    }
    checkBoot(command);
    boolean brings = command.action() == Action.PREPARE || command.action() == Action.UPGRADE;
    if (brings && !isThere && !release.mayBeInstalledOver(found.version())) {
      throw StepFailed.fatal(
          "wrong-base",
          "%s may not be installed over %s".formatted(release.version(), found.version()));
    }
    return found;
  }

  /// For a reboot, whose boot is no precondition but the question itself.
  void checkVersion(Command command) throws StepFailed, InterruptedException {
    checkVersion(command, measurements.now(command.packageName()));
  }

  private static void checkVersion(Command command, Found found) throws StepFailed {
    String expected = command.expect().version();
    if (!expected.isEmpty() && !expected.equals(found.version())) {
      throw failed("version", expected, found.version());
    }
  }

  private void checkBoot(Command command) throws StepFailed {
    String expected = command.expect().bootId();
    if (!expected.isEmpty() && !expected.equals(bootId)) {
      throw failed("boot_id", expected, bootId);
    }
  }

  private static StepFailed failed(String what, String expected, String found) {
    return StepFailed.fatal(
        "precondition-failed", "%s: expected %s, found %s".formatted(what, expected, found));
  }
}
