package dev.uplift.temporaldev.demo;

import dev.uplift.cli.text.Screen;
import dev.uplift.cli.text.Table;
import dev.uplift.cli.text.TextFormat;
import dev.uplift.cli.upgrade.UpgradeResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// What came of the demo, and whether it is what had to come of it.
///
/// @param servedBefore version of shopd that each host served before
/// @param servedAfter version of shopd that each host serves now
/// @param upgrades in the order of the devices
record DevicesReport(
    List<DemoDevice> devices,
    Map<String, String> servedBefore,
    Map<String, String> servedAfter,
    List<UpgradeResponse> upgrades) {

  /// Everything that is not as it should be, in words; empty if all is well.
  List<String> problems() {
    List<String> faults = new ArrayList<>();
    for (int i = 0; i < devices.size(); i++) {
      DemoDevice device = devices.get(i);
      UpgradeResponse upgrade = upgrades.get(i);
      if (!upgrade.outcome().equals(device.expectedOutcome())) {
        faults.add(
            device.name()
                + " ended "
                + upgrade.outcome()
                + ", expected "
                + device.expectedOutcome());
      }
      if (device.expectedOutcome().equals("rolled-back") && upgrade.reason().isEmpty()) {
        faults.add(device.name() + " was rolled back, and nobody says why");
      }
      for (String host : device.hosts()) {
        check(faults, host, "served", servedBefore, device.initialShopdVersion());
        check(faults, host, "serves", servedAfter, device.expectedShopdVersion());
      }
    }
    return faults;
  }

  private static void check(
      List<String> faults, String host, String verb, Map<String, String> found, String expected) {
    String version = Objects.requireNonNull(found.get(host));
    if (!version.equals(expected)) {
      faults.add("%s %s shopd %s, expected %s".formatted(host, verb, version, expected));
    }
  }

  void print(Screen screen) {
    Table table =
        new Table("DEVICE", "RELEASE", "OUTCOME", "TIME", "SHOPD BEFORE > AFTER", "FIRST ERROR");
    for (int i = 0; i < devices.size(); i++) {
      UpgradeResponse upgrade = upgrades.get(i);
      table.addRow(
          devices.get(i).name(),
          upgrade.release(),
          upgrade.outcome(),
          upgradeDuration(upgrade),
          describeServed(devices.get(i)),
          upgrade.reason());
    }
    new PartConclusion(
            table, problems(), "every device ended as it should, and serves what it should")
        .print(screen);
  }

  static String upgradeDuration(UpgradeResponse upgrade) {
    return upgrade
        .startedAt()
        .flatMap(start -> upgrade.endedAt().map(end -> Duration.between(start, end)))
        .map(TextFormat::formatDuration)
        .orElse("");
  }

  private String describeServed(DemoDevice device) {
    String host = device.hosts().getFirst();
    String hosts = device.hosts().size() == 1 ? "" : " on " + device.hosts().size() + " hosts";
    return servedBefore.get(host) + " > " + servedAfter.get(host) + hosts;
  }
}
