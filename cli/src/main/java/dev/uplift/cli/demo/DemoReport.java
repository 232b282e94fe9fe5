package dev.uplift.cli.demo;

import dev.uplift.cli.text.Screen;
import dev.uplift.cli.text.Table;
import dev.uplift.cli.text.Text;
import dev.uplift.cli.upgrade.UpgradeView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// What came of the demo, and whether it is what had to come of it.
///
/// @param before version of shopd that each host served before
/// @param after version of shopd that each host serves now
/// @param ended in the order of the devices
record DemoReport(
    List<DemoDevice> devices,
    Map<String, String> before,
    Map<String, String> after,
    List<UpgradeView> ended) {

  /// Everything that is not as it should be, in words; empty if all is well.
  List<String> faults() {
    List<String> faults = new ArrayList<>();
    for (int i = 0; i < devices.size(); i++) {
      DemoDevice device = devices.get(i);
      UpgradeView upgrade = ended.get(i);
      if (!upgrade.outcome().equals(device.outcome())) {
        faults.add(
            device.name() + " ended " + upgrade.outcome() + ", expected " + device.outcome());
      }
      if (device.outcome().equals("rolled-back") && upgrade.reason().isEmpty()) {
        faults.add(device.name() + " was rolled back, and nobody says why");
      }
      for (String host : device.hosts()) {
        check(faults, host, "served", before, device.servesBefore());
        check(faults, host, "serves", after, device.servesAfter());
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

  void show(Screen screen) {
    Table table =
        new Table("DEVICE", "RELEASE", "OUTCOME", "TIME", "SHOPD BEFORE > AFTER", "FIRST ERROR");
    for (int i = 0; i < devices.size(); i++) {
      UpgradeView upgrade = ended.get(i);
      table.row(
          devices.get(i).name(),
          upgrade.release(),
          upgrade.outcome(),
          time(upgrade),
          served(devices.get(i)),
          upgrade.reason());
    }
    new Conclusion(table, faults(), "every device ended as it should, and serves what it should")
        .show(screen);
  }

  static String time(UpgradeView upgrade) {
    return upgrade
        .startedAt()
        .flatMap(start -> upgrade.endedAt().map(end -> Duration.between(start, end)))
        .map(Text::of)
        .orElse("");
  }

  private String served(DemoDevice device) {
    String host = device.hosts().getFirst();
    String hosts = device.hosts().size() == 1 ? "" : " on " + device.hosts().size() + " hosts";
    return before.get(host) + " > " + after.get(host) + hosts;
  }
}
