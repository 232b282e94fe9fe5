package dev.uplift.temporaldev.night;

import java.util.Locale;
import java.util.Map;

/// A behaviour of the only host of a device in the night, and the outcome that the rollout should report.
public enum HostBehaviour {
  /// Is on and installs the release.
  UPGRADES(0, "upgraded"),

  /// Needs a reboot to run the release.
  REBOOTS(200, "upgraded"),

  /// Fails to prepare once; its agent tries again by itself.
  RETRIES(20, "upgraded"),

  /// Declines the release.
  DECLINES(20, "declined"),

  /// Runs the release, says that it is broken, and is rolled back.
  FAILS(10, "rolled-back"),

  /// Loses its connection for a while in the middle of the rollout, at any step.
  LOSES_CONNECTION(20, "upgraded"),

  /// Is off when the rollout begins, and on again later in the night.
  COMES_BACK(15, "upgraded"),

  /// Is off all night.
  STAYS_OFF(15, "offline");

  private static final int ALL = 1000;

  private final int perThousand;
  private final String outcome;

  HostBehaviour(int perThousand, String outcome) {
    this.perThousand = perThousand;
    this.outcome = outcome;
  }

  /// Returns how many of that many devices have such a host: at least one. The others upgrade.
  int count(int devices) {
    return this == UPGRADES ? 0 : Math.max(1, Math.round((float) devices * perThousand / ALL));
  }

  /// Returns the outcome of the device in the rollout, as REST shows it.
  String outcome() {
    return outcome;
  }

  /// Returns the settings of the simulated driver.
  Map<String, String> driverSettings() {
    return switch (this) {
      case UPGRADES, LOSES_CONNECTION, COMES_BACK, STAYS_OFF -> Map.of();
      case REBOOTS -> Map.of("reboot", "true");
      case RETRIES -> Map.of("fail_prepare", "retryable line-busy", "fail_prepare_times", "1");
      case DECLINES -> Map.of("fail_prepare", "declined not-now");
      case FAILS -> Map.of("fail_upgrade", "final broken", "fail_upgrade_after", "true");
    };
  }

  /// Returns whether the host is off when the rollout begins.
  boolean isOffAtFirst() {
    return this == COMES_BACK || this == STAYS_OFF;
  }

  /// Returns whether an upgrade of the device is started.
  boolean isStarted() {
    return this != STAYS_OFF;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
