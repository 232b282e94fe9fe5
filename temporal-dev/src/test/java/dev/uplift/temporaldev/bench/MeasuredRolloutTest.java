package dev.uplift.temporaldev.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.cli.rest.RestClient;
import dev.uplift.temporaldev.bench.MeasuredRollout.AutomaticPause;
import dev.uplift.temporaldev.bench.MeasuredRollout.Decision;
import dev.uplift.temporaldev.bench.MeasuredRollout.Target;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class MeasuredRolloutTest {
  private static final Instant START = Instant.parse("2026-11-21T06:00:00Z");

  private final List<Target> targets = new ArrayList<>();
  private final List<Decision> decided = new ArrayList<>();
  private final Map<String, Instant> begun = new HashMap<>();

  @Test
  void theNextWaveIsCountedFromTheLastOutcomeToTheFirstBeginOfAnUpgrade() {
    device(1, "upgraded", 0, 2000);
    device(1, "upgraded", 0, 3000);
    device(2, "upgraded", 3200, 5000);
    device(2, "upgraded", 3300, 6000);

    // Each begins 50 ms after it was marked.
    assertThat(run(2).waveGapsMs()).containsExactly(250L);
  }

  @Test
  void whereAPersonHadToResumeNothingIsSaidOfTheNextWave() {
    device(1, "rolled-back", 0, 2000);
    decided(2100, "pause", "uplift");
    decided(9000, "resume", "ann");
    device(2, "upgraded", 9100, 9900);

    assertThat(run(2).waveGapsMs()).isEmpty();
  }

  @Test
  void aStopSaysHowSoonItCameAndWhoWasStartedAllTheSame() {
    device(1, "rolled-back", 0, 2000);
    decided(2100, "pause", "uplift");
    device(1, "upgraded", 2200, 3000);
    decided(4000, "resume", "ann");
    device(1, "upgraded", 4100, 5000);

    assertThat(run(1).automaticPauses(1)).containsExactly(new AutomaticPause(decided.getFirst(), 100, 1));
  }

  @Test
  void failuresAreCountedFromTheLastResume() {
    device(1, "rolled-back", 0, 1000);
    device(1, "rolled-back", 0, 1500);
    decided(2100, "pause", "uplift");
    decided(4000, "resume", "ann");
    device(1, "rolled-back", 4100, 5000);
    device(1, "rolled-back", 4100, 6000);
    device(1, "rolled-back", 4100, 6150);
    decided(6200, "pause", "uplift");

    assertThat(run(1).automaticPauses(2)).extracting(AutomaticPause::latencyMs).containsExactly(600L, 200L);
  }

  @Test
  void aPauseByAPersonIsNoStop() {
    decided(2100, "pause", "ann");

    assertThat(run(1).automaticPauses(1)).isEmpty();
  }

  @Test
  void thoseInFlightAreCountedAtTheirMost() {
    device(1, "upgraded", 0, 2000);
    device(1, "upgraded", 1000, 3000);
    device(1, "upgraded", 2000, 4000);

    assertThat(run(1).maxInProgress()).isEqualTo(2);
  }

  @Test
  void theReportSaysTheSameToPeopleAndPrograms() {
    device(1, "upgraded", 0, 2000);
    device(1, "rolled-back", 0, 2500);
    decided(2600, "pause", "uplift");
    var figures =
        new RolloutFigures(
            new RolloutBench.Parameters(2, 1, 50, 1, 500, 0),
            run(1),
            new ProcessCosts(
                2,
                Map.of("server", Duration.ofMillis(80)),
                Map.of("server", new ProcessUsage(Duration.ofSeconds(9), 204_800, 307_200))),
            new TreeMap<>(Map.of(2, 10_240L)),
            Percentiles.of(List.of(17L)),
            Percentiles.of(List.of(28L)));

    assertThat(figures.isSuccessful()).isTrue();
    assertThat(String.join("\n", figures.lines()))
        .containsPattern("server \\(with H2\\) +40.0 +200 +300")
        .containsPattern("devices +2 in 1 waves .rolled-back=1, upgraded=1.")
        .containsPattern("server heap MiB +10.0 at 2")
        .containsPattern("1 +100 +0 +because");
    assertThat(figures.toJson().at("/cpu_ms_per_upgrade/server").asDouble()).isEqualTo(40);
    assertThat(figures.toJson().at("/automatic_pauses/0/latency_ms").asInt()).isEqualTo(100);
    assertThat(figures.toJson().at("/server_heap_mib_when_done/2").asInt()).isEqualTo(10);
  }

  @Test
  void theHeapIsThatOfBothGenerations() {
    assertThat(
            ProcessUsage.usedHeapKib(
                """
                4711:
                DefNew     total 116160K, used 31021K [0x01, 0x02, 0x03)
                 eden space 103296K,  30% used [0x01, 0x02, 0x03)
                Tenured    total 258048K, used 1166K [0x01, 0x02, 0x03)
                 the  space 258048K,   0% used [0x01, 0x02, 0x03)
                """))
        .isEqualTo(32_187);
  }

  private void device(int wave, String outcome, long startedMs, long endedMs) {
    String upgrade = "u" + targets.size();
    targets.add(new Target(upgrade, wave, outcome, upgrade, at(startedMs), at(endedMs)));
    begun.put(upgrade, at(startedMs + 50));
  }

  private void decided(long ms, String what, String by) {
    decided.add(new Decision(at(ms), 1, what, by, "because", ""));
  }

  private static Instant at(long ms) {
    return START.plusMillis(ms);
  }

  private MeasuredRollout run(int waves) {
    var rollout = RestClient.JSON.createObjectNode().put("wave_count", waves);
    rollout.put("started_at", at(0).toString()).put("ended_at", at(10_000).toString());
    return new MeasuredRollout(rollout, targets, decided, begun);
  }
}
