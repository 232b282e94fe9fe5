package dev.uplift.services.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Progress;
import dev.uplift.fleet.Release;
import dev.uplift.services.upgrade.RevertPlanner.Revertibility;
import dev.uplift.store.Database;
import dev.uplift.store.DatabaseSettings;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.DeviceSpec;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.tenant.TenantRepository;
import dev.uplift.store.upgrade.NewUpgrade;
import dev.uplift.store.upgrade.UpgradeEnd;
import dev.uplift.store.upgrade.UpgradeRepository;
import dev.uplift.store.upgrade.UpgradeRow;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Upgrade `first` has installed 2.0 on a host that ran 1.0. Others followed, and `first` is to be reverted.
final class RevertPlannerTest {
  private static final DeviceId GATE = new DeviceId("acme", "gate");
  private static final HostId LEFT = new HostId("left");

  /// @param to the target version; of a revert, the version that the reverted upgrade had installed
  /// @param before the version that the host ran then; empty if it was not reported
  record PastUpgrade(String id, String to, String before, Progress progress, Optional<String> revertOf) {}

  record Case(String what, List<PastUpgrade> later, boolean goesBack) {
    @Override
    public String toString() {
      return what;
    }
  }

  private static PastUpgrade upgraded(String id, String from, String to) {
    return new PastUpgrade(id, to, from, Progress.UPGRADED, Optional.empty());
  }

  private static PastUpgrade failed(String id, String from, String to) {
    return new PastUpgrade(id, to, from, Progress.ROLLED_BACK, Optional.empty());
  }

  private static PastUpgrade back(String of, String from) {
    return new PastUpgrade("back-" + of, from, "", Progress.ROLLED_BACK, Optional.of(of));
  }

  private static final PastUpgrade SECOND = upgraded("second", "2.0", "3.0");

  static final List<Case> CASES =
      List.of(
          new Case("nothing followed", List.of(), true),
          new Case("the next one was reverted", List.of(SECOND, back("second", "3.0")), false),
          new Case(
              "the next two were reverted",
              List.of(SECOND, upgraded("third", "3.0", "4.0"), back("third", "4.0")),
              false),
          new Case("it was reverted itself", List.of(back("first", "2.0")), true),
          new Case(
              "it was reverted and installed again",
              List.of(back("first", "2.0"), upgraded("again", "1.0", "2.0")),
              true),
          new Case(
              "another one was never started",
              List.of(new PastUpgrade("late", "3.0", "2.0", Progress.UNCHANGED, Optional.empty())),
              true),
          new Case("another one failed, version known", List.of(failed("bad", "2.0", "3.0")), true),
          new Case("an old one did not report its previous version", List.of(upgraded("old", "", "3.0")), true));

  @ParameterizedTest
  @FieldSource("CASES")
  void aHostIsRevertedByOneStep(Case one) {
    try (Database database = Database.open(DatabaseSettings.h2InMemory(), new TickingClock())) {
      database.repository(TenantRepository.class).put("acme", "");
      var deviceRepository = database.repository(DeviceRepository.class);
      deviceRepository.put(new DeviceSpec(GATE, List.of(LEFT), Map.of(), ZoneId.of("UTC")), Precondition.absent());
      var upgradeRepository = database.repository(UpgradeRepository.class);
      UpgradeRow first = record(upgradeRepository, upgraded("first", "1.0", "2.0"));
      for (PastUpgrade pastUpgrade : one.later()) {
        record(upgradeRepository, pastUpgrade);
      }

      Revertibility revertibility = new RevertPlanner(deviceRepository, upgradeRepository).plan(first);

      assertThat(revertibility instanceof Revertibility.Revertible).isEqualTo(one.goesBack());
      if (revertibility instanceof Revertibility.NotRevertible(String why)) {
        assertThat(why).contains("left was upgraded from ").contains("one step");
      }
    }
  }

  /// Advances by a second with each read.
  private static final class TickingClock implements InstantSource {
    private Instant now = Instant.parse("2026-03-29T01:30:00Z");

    @Override
    public Instant instant() {
      now = now.plusSeconds(1);
      return now;
    }
  }

  private static UpgradeRow record(UpgradeRepository upgradeRepository, PastUpgrade pastUpgrade) {
    upgradeRepository.createIfAbsent(
        new NewUpgrade(
            pastUpgrade.id(),
            GATE,
            new Release("shopd", pastUpgrade.to()),
            "ann",
            "{}",
            "run",
            pastUpgrade.revertOf()));
    HostOutcome outcomeOfHost =
        new HostOutcome(
            LEFT,
            pastUpgrade.progress(),
            pastUpgrade.to(),
            false,
            Optional.empty(),
            Optional.of(pastUpgrade.before()).filter(text -> !text.isEmpty()));
    Outcome outcome = pastUpgrade.progress() == Progress.UPGRADED ? Outcome.UPGRADED : Outcome.ROLLED_BACK;
    var end = new UpgradeEnd(outcome, Optional.empty(), HostOutcome.write(List.of(outcomeOfHost)));
    return upgradeRepository.recordEnd("acme", pastUpgrade.id(), end).orElseThrow();
  }
}
