package dev.uplift.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.rollout.decision.WaveCounts;
import dev.uplift.store.rollout.TargetRow;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Canaries that prove nothing are replaced by devices of later waves.
final class CanaryReplacementTest extends RolloutScenario {
  private static List<String> wave(RolloutId id, int number) {
    return worker.targets(id).stream()
        .filter(target -> target.queuePosition().wave() == number)
        .map(TargetRow::device)
        .toList();
  }

  @Test
  void canariesAreDevicesThatAreHeard(TestInfo info) {
    String fleet = fleet(info, 5);
    String[] silent = Arrays.copyOf(names(fleet, 5), 4);
    worker.presence.silence(silent);

    RolloutId id = worker.create(inTwoWaves(fleet, 1, 5));

    assertThat(wave(id, 1)).containsExactly(names(fleet, 5)[4]);
  }

  @Test
  void anOfflineCanaryIsReplacedByADeviceThatIsHeard(TestInfo info) {
    String fleet = fleet(info, 4);
    RolloutId id = worker.create(inTwoWaves(fleet, 1, 4));
    String canary = wave(id, 1).getFirst();
    worker.presence.silence(canary);

    worker.start(id);

    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> worker.row(id).currentWave() == 2);
    assertThat(decisions(id)).contains("replace-canaries");
    assertThat(wave(id, 1)).hasSize(2).contains(canary);
    assertThat(worker.targets(id))
        .filteredOn(target -> target.queuePosition().wave() == 1 && !target.device().equals(canary))
        .extracting(TargetRow::result)
        .containsExactly(upgraded());

    worker.presence.hear(canary);

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    assertEachOnce(id);
  }

  @Test
  void aCanaryThatDeclinesIsReplaced(TestInfo info) {
    String fleet = fleet(info, 4);
    RolloutId id = worker.create(inTwoWaves(fleet, 1, 4));
    String canary = wave(id, 1).getFirst();
    worker.hosts.failOnce(canary);

    worker.start(id);

    assertThat(ended(id).outcome()).contains(RolloutOutcome.PARTIAL);
    assertThat(decisions(id)).contains("replace-canaries");
    assertThat(wave(id, 1)).hasSize(2);
    assertThat(worker.targets(id)).filteredOn(target -> target.result().equals(upgraded())).hasSize(3);
  }

  static final List<Case> CASES =
      List.of(
          new Case("all are pending", 3, new WaveCounts(3, 0, 0, 0, Map.of()), 0),
          new Case(
              "one is offline", 3, new WaveCounts(3, 0, 0, 0, Map.of()).withOffline(1, Optional.of(Instant.EPOCH)), 1),
          new Case("one declined, one expired", 3, ended(1, TargetResult.DECLINED, TargetResult.EXPIRED), 2),
          new Case("one failed, which proves something", 3, ended(2, TargetResult.ROLLED_BACK), 0),
          new Case("one was skipped by a person", 3, new WaveCounts(2, 0, 0, 1, Map.of()), 0),
          new Case("one was replaced", 3, ended(3, TargetResult.DECLINED), 0),
          new Case("as many were replaced as there were", 1, ended(0, TargetResult.DECLINED, TargetResult.EXPIRED), 0));

  private static WaveCounts ended(int pending, TargetResult... results) {
    Map<TargetResult, Integer> counts = new EnumMap<>(TargetResult.class);
    List.of(results).forEach(result -> counts.merge(result, 1, Integer::sum));
    return new WaveCounts(pending, 0, 0, 0, counts);
  }

  @ParameterizedTest
  @FieldSource("CASES")
  void replacesAsManyAsProvedNothing(Case one) {
    assertThat(CanaryReplacement.missing(one.planned, one.counts)).isEqualTo(one.missing);
  }

  record Case(String what, int planned, WaveCounts counts, int missing) {
    @Override
    public String toString() {
      return what;
    }
  }
}
