package dev.uplift.fleet.rollout.decision;

import static dev.uplift.fleet.rollout.TargetResult.DECLINED;
import static dev.uplift.fleet.rollout.TargetResult.UPGRADED;
import static dev.uplift.fleet.rollout.decision.SnapshotScenario.at;
import static dev.uplift.fleet.rollout.decision.SnapshotScenario.wave;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Decisions of a rollout of three waves at noon, ten devices in parallel, of which some devices are offline.
final class OfflineDevicesPolicyTest {
  private static final Instant NINE = at("09:00");
  private static final Instant YESTERDAY = Instant.parse("2026-11-20T11:30:00Z");
  private static final WaveCounts EARLIER_OFFLINE =
      new WaveCounts(2, 0, 0, 0, Map.of(UPGRADED, 8)).withOffline(2, Optional.of(NINE));

  static final List<Case> CASES =
      List.of(
          new Case(
              "starts only those that are heard",
              wave(2).pending(12).offline(8, NINE),
              "start 4: 12 devices pending, 8 offline, 0 in progress, at most 10"),
          new Case(
              "goes on without them",
              wave(1).pending(2).ended(UPGRADED, 8).offline(2, NINE).later(90),
              "next-wave: wave 1 of 3 is done: 8 of 10 devices run the release; 2 offline, started when heard"),
          new Case(
              "waits for canaries that are offline if no other one proves the release",
              wave(1).pending(2).ended(DECLINED, 1).offline(2, NINE).later(90),
              "wait offline: 2 devices of wave 1 of 3 are offline; 0 of 3 devices run the release, and the next wave"
                  + " takes 1"),
          new Case(
              "goes on without a prepared one",
              wave(1).preparing(1).ended(UPGRADED, 9).offline(1, NINE).later(90),
              "next-wave: wave 1 of 3 is done: 9 of 10 devices run the release; 1 offline, started when heard"),
          new Case(
              "soaks although earlier ones are offline",
              wave(2).ended(UPGRADED, 10).soak(Duration.ofHours(1)).lastEnded("11:30").earlier(EARLIER_OFFLINE),
              "wait soak until 12:30: wave 2 of 3 soaks: watched 0 s of 1 h"),
          new Case(
              "waits for those in progress first",
              wave(3).pending(2).inProgress(1).ended(UPGRADED, 7).offline(2, NINE),
              "wait upgrades-running: 1 device is in progress, 2 offline"),
          new Case(
              "the last wave waits a day for them",
              wave(3).pending(2).ended(UPGRADED, 8).offline(2, NINE).lastEnded("11:30"),
              "wait offline until 11:30: 2 devices are offline; left out at 2026-11-22T11:30:00Z unless they are heard"
                  + " by then"),
          new Case(
              "it waits for those of earlier waves too",
              wave(3).ended(UPGRADED, 8).earlier(EARLIER_OFFLINE).lastEnded("08:30"),
              "wait offline until 09:00: 2 devices are offline; left out at 2026-11-22T09:00:00Z unless they are heard"
                  + " by then"),
          new Case(
              "or until the deadline",
              wave(3).pending(2).ended(UPGRADED, 8).offline(2, NINE).lastEnded("11:30").deadline("12:30"),
              "wait offline until 12:30: 2 devices are offline; left out at 2026-11-21T12:30:00Z unless they are heard"
                  + " by then"),
          new Case(
              "leaves them out after a day",
              wave(3).pending(2).ended(UPGRADED, 8).offline(2, YESTERDAY),
              "finish partial: 8 of 10 devices run the release; left out: 2 devices offline"),
          new Case(
              "leaves them out at the deadline, which is no reason to expire",
              wave(3).pending(2).ended(UPGRADED, 8).offline(2, NINE).lastEnded("11:30").deadline("11:45"),
              "finish partial: 8 of 10 devices run the release; left out: 2 devices offline"),
          new Case(
              "expires if another one has not begun",
              wave(3).pending(3).ended(UPGRADED, 7).offline(2, NINE).deadline("11:45"),
              "finish expired: the deadline has passed and 3 devices are not begun"));

  @ParameterizedTest
  @FieldSource("CASES")
  void decides(Case one) {
    assertThat(one.scene.decision()).isEqualTo(one.decision);
  }

  record Case(String what, SnapshotScenario scene, String decision) {
    @Override
    public String toString() {
      return what;
    }
  }
}
