package dev.uplift.temporaldev.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BenchFiguresTest {
  @Test
  void processorTimeIsReadWhateverTheProcessIsCalled() {
    String stat = "4711 (a) b (c) S 1 4711 4711 0 -1 4194304 900 0 0 0 150 50 0 0 20 0 3 0 81 100 200 18";

    assertThat(ProcessUsage.cpu(stat)).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void ourOwnUseIsFoundAndPlausible() {
    ProcessUsage use = ProcessUsage.of(ProcessHandle.current().pid());

    assertThat(use.cpu()).isPositive();
    assertThat(use.residentKib()).isPositive();
    assertThat(use.peakKib()).isGreaterThanOrEqualTo(use.residentKib());
  }

  @Test
  void aSpreadSaysWhatMostAndWhatFewDoNotExceed() {
    Percentiles percentiles = Percentiles.of(LongStream.rangeClosed(1, 200).boxed().toList());

    assertThat(percentiles).isEqualTo(new Percentiles(200, 100.5, 100, 198, 200));
    assertThat(Percentiles.of(List.of())).isEqualTo(new Percentiles(0, 0, 0, 0, 0));
  }

  @Test
  void countsAreThoseOfAllLinesOfAMetric() {
    String metrics =
        """
        # HELP service_requests how many
        service_requests{operation="A",service_name="frontend"} 3
        service_requests{operation="B",service_name="frontend"} 4.5
        service_requests{operation="A",service_name="history"} 100
        service_requests_bytes{service_name="frontend"} 1000
        """;

    assertThat(OperationCounts.sum(metrics, "service_requests{", "service_name=\"frontend\"")).isEqualTo(7.5);
  }

  @Test
  void theReportSaysTheSameToPeopleAndPrograms() {
    SequencedMap<String, ProcessUsage> usageByProcess = new LinkedHashMap<>();
    usageByProcess.put("server", new ProcessUsage(Duration.ofSeconds(9), 204_800, 307_200));
    var report =
        new UpgradeFigures(
            new MeasuredUpgrades(Map.of("upgraded", 100L), Duration.ofSeconds(4), List.of(7L)),
            new ProcessCosts(100, Map.of("server", Duration.ofSeconds(1)), usageByProcess),
            Map.of("server", Duration.ofMillis(5)),
            Percentiles.of(List.of(26L, 28L)),
            Percentiles.of(List.of(3L)),
            new TreeMap<>(Map.of("SQL statements", 2500.0)),
            new FloorFigures(50, Duration.ofMillis(400), Percentiles.of(List.of(17L))));

    assertThat(report.toJson().path("upgrades_per_second").asDouble()).isEqualTo(25);
    assertThat(report.toJson().at("/cpu_seconds_per_upgrade/server").asDouble()).isEqualTo(0.01);
    assertThat(report.toJson().at("/resident_mib/server").asLong()).isEqualTo(200);
    assertThat(report.toJson().at("/history_events_per_upgrade/max").asLong()).isEqualTo(28);
    assertThat(String.join("\n", report.lines()))
        .containsPattern("server \\(with H2\\) +10.0 +0.5 +200 +300")
        .containsPattern("upgrades per second +25.0")
        .containsPattern("command latency ms, parallel +p50 7, p99 7, max 7 \\(1 samples\\)")
        .containsPattern("command latency ms, sequential +p50 3, p99 3, max 3 \\(1 samples\\)");
    assertThat(report.toJson().at("/operations_per_upgrade/sql_statements").asDouble()).isEqualTo(25);
    assertThat(report.toJson().at("/cpu_to_floor").asDouble()).isEqualTo(1.25);
    assertThat(String.join("\n", report.lines()))
        .containsPattern("servers to bare Temporal +1.25")
        .containsPattern("SQL statements +25.0");
    assertThat(report.toJson().at("/command_latency_sequential_ms/p50").asLong()).isEqualTo(3);
  }
}
