package dev.uplift.fleet.why;

import dev.uplift.fleet.rollout.Phrases;

/// The fixed words of an [ExplanationLink]. Programs rely on them; a sentence for people always comes with one.
public enum LinkWord {
  /// Nothing wants another version of the package.
  NOTHING,
  /// A policy decides which version is wanted.
  POLICY,
  /// A policy that applies too, and does not decide.
  CONFLICT,
  /// A rollout wants its release there.
  ROLLOUT,
  /// A person started an upgrade.
  UPGRADE,
  /// The device keeps one version of the package, or the one that it has.
  PINNED,
  /// Nothing begins in the tenant.
  STOPPED,
  /// Nothing begins on the device.
  HELD,
  /// Every host runs the wanted version.
  UP_TO_DATE,
  /// The rollout was selected for the device and left it out when it was planned.
  EXCLUDED,
  /// Left out of the rollout later, by a person or because it went on without the device.
  SKIPPED,
  /// The rollout starts at its time.
  PLANNED,
  /// A person paused the rollout, or the upgrade.
  PAUSED,
  /// The rollout paused itself because of its thresholds.
  THRESHOLD,
  /// A wave or an upgrade waits for another person.
  APPROVAL,
  /// The rollout reverts a wave.
  ROLLING_BACK,
  /// The rollout was aborted, and starts nothing more.
  ABORTING,
  /// A wave before that of the device is not done.
  EARLIER_WAVE,
  /// The time between two attempts.
  BACK_OFF,
  /// Another upgrade of the device runs.
  DEVICE_BUSY,
  /// Another rollout that comes first wants the device.
  LOWER_PRIORITY,
  /// The limits of the rollout leave no place.
  PLACE,
  /// Nothing is in the way; the device starts with one of the next passes.
  TURN,
  /// The maintenance windows are open.
  WINDOW_OPEN,
  /// A maintenance window has to open.
  WINDOW,
  /// No maintenance window opens in sight.
  NO_WINDOW,
  /// A host is not heard.
  OFFLINE,
  /// The server does not know yet which hosts are heard.
  PRESENCE_UNKNOWN,
  /// The device has no hosts.
  NO_HOSTS,
  /// The release failed on this device, and only a person has it tried again.
  FAILED_BEFORE,
  /// The upgrade would be declined.
  DECLINED,
  /// The upgrade works on a step.
  STEP,
  /// A step failed, and a person decides about it.
  DECISION,
  /// The upgrade does not continue by itself.
  STUCK,
  /// Temporal is not reached, so the step in work is not known.
  UNKNOWN,
  /// The upgrade has ended without success.
  FAILED,
  /// The upgrade ended without having begun or having failed: declined, expired, aborted.
  ENDED,
  /// The upgrade was reverted.
  REVERTED,
  /// Hosts run another version than the one that was installed.
  DRIFTED;

  @Override
  public String toString() {
    return Phrases.word(this);
  }
}
