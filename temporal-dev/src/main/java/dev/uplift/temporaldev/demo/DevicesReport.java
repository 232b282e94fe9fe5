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

/// The results of the upgrades, compared with the expected ones.
///
/// @param servedBefore version of shopd by host before
/// @param servedAfter version of shopd by host afterwards
/// @param upgrades in the order of the devices
record DevicesReport(
    List<DemoDevice> devices,
    Map<String, String> servedBefore,
    Map<String, String> servedAfter,
    List<UpgradeResponse> upgrades) {

  /// Returns all differences from the expected results as sentences.
  List<String> problems() {
    List<String> problems = new ArrayList<>();
    for (int i = 0; i < devices.size(); i++) {
      DemoDevice device = devices.get(i);
      UpgradeResponse upgrade = upgrades.get(i);
      if (!upgrade.outcome().equals(device.expectedOutcome())) {
        problems.add(
            device.name()
                + " ended "
                + upgrade.outcome()
                + ", expected "
                + device.expectedOutcome());
      }
      if (device.expectedOutcome().equals("rolled-back") && upgrade.reason().isEmpty()) {
        problems.add(device.name() + " was rolled back without a reason");
      }
      for (String host : device.hosts()) {
        check(problems, host, "served", servedBefore, device.initialShopdVersion());
        check(problems, host, "serves", servedAfter, device.expectedShopdVersion());
      }
    }
    return problems;
  }

  private static void check(
      List<String> problems, String host, String verb, Map<String, String> found, String expected) {
    String version = Objects.requireNonNull(found.get(host));
    if (!version.equals(expected)) {
      problems.add("%s %s shopd %s, expected %s".formatted(host, verb, version, expected));
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
            table, problems(), "every device ended as expected and serves the expected version")
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
