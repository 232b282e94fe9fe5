package dev.uplift.temporaldev.demo;

import dev.uplift.cli.text.Screen;
import dev.uplift.cli.text.Table;
import dev.uplift.cli.text.TextFormat;
import dev.uplift.cli.upgrade.UpgradeResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/// The results of the upgrades of a part, compared with the expected ones.
///
/// @param subject of the versions on the hosts: `SHOPD`, `AGENT`
/// @param upgrades in the order of the devices
/// @param versionsBefore by host
/// @param versionsAfter by host
/// @param hostProblems returns all differences on a host as sentences
record UpgradeReport(
    String subject,
    List<DemoDevice> devices,
    List<UpgradeResponse> upgrades,
    Map<String, String> versionsBefore,
    Map<String, String> versionsAfter,
    BiFunction<DemoDevice, String, List<String>> hostProblems) {
  /// Returns all differences from the expected results as sentences.
  List<String> problems() {
    List<String> problems = new ArrayList<>();
    for (int i = 0; i < devices.size(); i++) {
      DemoDevice device = devices.get(i);
      UpgradeResponse upgrade = upgrades.get(i);
      if (!upgrade.outcome().equals(device.expectedOutcome())) {
        problems.add("%s ended %s, expected %s".formatted(device.name(), upgrade.outcome(), device.expectedOutcome()));
      }
      if (!upgrade.reason().contains(device.expectedReason())) {
        problems.add(
            "%s says \"%s\", expected \"%s\"".formatted(device.name(), upgrade.reason(), device.expectedReason()));
      } else if (device.expectedOutcome().equals("rolled-back") && upgrade.reason().isEmpty()) {
        problems.add(device.name() + " was rolled back without a reason");
      }
      device.hosts().forEach(host -> problems.addAll(hostProblems.apply(device, host)));
    }
    return problems;
  }

  /// Prints a table, the problems, or that all went well, and the links to Temporal Web UI.
  ///
  /// @return whether everything ended as expected
  boolean print(Screen screen, String successText) {
    Table table = new Table("DEVICE", "RELEASE", "OUTCOME", "TIME", subject + " BEFORE > AFTER", "FIRST ERROR");
    for (int i = 0; i < devices.size(); i++) {
      UpgradeResponse upgrade = upgrades.get(i);
      table.addRow(
          devices.get(i).name(),
          upgrade.release(),
          upgrade.outcome(),
          duration(upgrade),
          versions(devices.get(i)),
          upgrade.reason());
    }
    List<String> problems = problems();
    new PartConclusion(table, problems, successText).print(screen);
    screen.printLine("");
    upgrades.forEach(one -> screen.printLine("  " + TextFormat.pad(one.device(), 20) + one.temporalLink()));
    return problems.isEmpty();
  }

  private static String duration(UpgradeResponse upgrade) {
    return upgrade
        .startedAt()
        .flatMap(start -> upgrade.endedAt().map(end -> Duration.between(start, end)))
        .map(TextFormat::formatDuration)
        .orElse("");
  }

  private String versions(DemoDevice device) {
    String host = device.hosts().getFirst();
    String hosts = device.hosts().size() == 1 ? "" : " on " + device.hosts().size() + " hosts";
    return versionsBefore.get(host) + " > " + versionsAfter.get(host) + hosts;
  }
}
