package dev.uplift.activities.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.activities.device.Reverts.Found;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Progress;
import dev.uplift.fleet.Release;
import dev.uplift.store.Database;
import dev.uplift.store.DatabaseSettings;
import dev.uplift.store.DeviceSpec;
import dev.uplift.store.Devices;
import dev.uplift.store.Expected;
import dev.uplift.store.NewUpgrade;
import dev.uplift.store.Tenants;
import dev.uplift.store.UpgradeEnd;
import dev.uplift.store.UpgradeRow;
import dev.uplift.store.Upgrades;
import dev.uplift.workflows.device.HostReport;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// `first` has brought 2.0 to a host that ran 1.0. Then others came, and it is to be taken back.
final class RevertsTest {
  private static final DeviceId GATE = new DeviceId("acme", "gate");
  private static final HostId LEFT = new HostId("left");

  /// @param to the version that it is for; of what takes one back the one that this had brought
  /// @param before what the host ran then; empty where it did not say
  record Step(String id, String to, String before, Progress progress, Optional<String> revertOf) {}

  record Case(String what, List<Step> later, boolean goesBack) {
    @Override
    public String toString() {
      return what;
    }
  }

  private static Step upgraded(String id, String from, String to) {
    return new Step(id, to, from, Progress.UPGRADED, Optional.empty());
  }

  private static Step failed(String id, String from, String to) {
    return new Step(id, to, from, Progress.ROLLED_BACK, Optional.empty());
  }

  private static Step back(String of, String from) {
    return new Step("back-" + of, from, "", Progress.ROLLED_BACK, Optional.of(of));
  }

  private static final Step SECOND = upgraded("second", "2.0", "3.0");

  static final List<Case> CASES =
      List.of(
          new Case("nothing came since", List.of(), true),
          new Case("the next one was taken back", List.of(SECOND, back("second", "3.0")), false),
          new Case(
              "two more were, one after the other",
              List.of(SECOND, upgraded("third", "3.0", "4.0"), back("third", "4.0")),
              false),
          new Case("it went back itself", List.of(back("first", "2.0")), true),
          new Case(
              "it went back and forth by another upgrade",
              List.of(back("first", "2.0"), upgraded("again", "1.0", "2.0")),
              true),
          new Case(
              "another one was never begun",
              List.of(new Step("late", "3.0", "2.0", Progress.UNTOUCHED, Optional.empty())),
              true),
          new Case(
              "another one failed, and the host knows", List.of(failed("bad", "2.0", "3.0")), true),
          new Case(
              "one from long ago does not say where it came from",
              List.of(upgraded("old", "", "3.0")),
              true));

  @ParameterizedTest
  @FieldSource("CASES")
  void aHostGoesBackOneStep(Case one) {
    try (Database database = Database.open(DatabaseSettings.inMemory())) {
      InstantSource clock = InstantSource.system();
      new Tenants(database, clock).put("acme", "");
      var devices = new Devices(database, clock);
      devices.put(
          new DeviceSpec(GATE, List.of(LEFT), Map.of(), ZoneId.of("UTC")), Expected.absent());
      var passing = new Passing();
      var upgrades = new Upgrades(database, passing);
      UpgradeRow first = record(upgrades, upgraded("first", "1.0", "2.0"));
      for (Step step : one.later()) {
        record(upgrades, step);
      }

      Found found = new Reverts(devices, upgrades).of(first);

      assertThat(found instanceof Found.Something).isEqualTo(one.goesBack());
      if (found instanceof Found.Nothing(String why)) {
        assertThat(why).contains("left was upgraded from ").contains("one step");
      }
    }
  }

  /// A second later with each look.
  private static final class Passing implements InstantSource {
    private Instant now = Instant.parse("2026-03-29T01:30:00Z");

    @Override
    public Instant instant() {
      now = now.plusSeconds(1);
      return now;
    }
  }

  private static UpgradeRow record(Upgrades upgrades, Step step) {
    upgrades.begin(
        new NewUpgrade(
            step.id(), GATE, new Release("shopd", step.to()), "ann", "{}", "run", step.revertOf()));
    HostReport report =
        new HostReport(
            LEFT,
            step.progress(),
            step.to(),
            false,
            Optional.empty(),
            Optional.of(step.before()).filter(text -> !text.isEmpty()));
    Outcome outcome = step.progress() == Progress.UPGRADED ? Outcome.UPGRADED : Outcome.ROLLED_BACK;
    var end = new UpgradeEnd(outcome, Optional.empty(), Texts.write(List.of(report)));
    return upgrades.end("acme", step.id(), end).orElseThrow();
  }
}
