package dev.uplift.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.rest.ServerObservation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

final class DoctorCommandTest extends CommandScenario {
  private static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");
  private static final JsonNode UP = RestClient.JSON.readTree("{\"status\":\"UP\",\"details\":{}}");
  private static final String HEALTHY = "{\"status\":\"UP\",\"details\":{\"nats\":{\"status\":\"UP\"}}}";
  private static final String FINE =
      """
      {"severity":"ok","checked_at":"2026-11-25T12:00:00Z",
       "findings":[{"part":"nats","severity":"ok","text":"nats-server 2.14.5 answers"}]}\
      """;

  @Test
  void withoutFaultsItEndsWith0() {
    assertThat(doctor(HEALTHY, 200, FINE)).isZero();

    assertThat(out.toString())
        .contains("ok        rest: the server is up", "ok        nats: nats-server 2.14.5 answers")
        .doesNotContain("do:");
  }

  @Test
  void theWorstFindingComesFirstAndDecidesTheExitCode() {
    String warning =
        FINE.replace("]", ",{\"part\":\"trust\",\"severity\":\"warning\",\"text\":\"t\",\"advice\":\"a\"}]");
    assertThat(doctor(HEALTHY, 200, warning)).isEqualTo(CliException.WARNINGS);
    assertThat(out.toString()).startsWith("warning   trust: t\n          do: a\n");

    String critical = warning.replace("\"ok\",\"text\"", "\"critical\",\"text\"");
    out.getBuffer().setLength(0);
    assertThat(doctor(HEALTHY, 200, critical)).isEqualTo(CliException.FAILED);
    assertThat(out.toString()).startsWith("critical  nats: ");
  }

  @Test
  void aSeverityOfANewerServerIsTakenForTheWorst() {
    assertThat(doctor(HEALTHY, 200, FINE.replace("\"severity\":\"ok\",\"text\"", "\"severity\":\"dire\",\"text\"")))
        .isEqualTo(CliException.FAILED);
  }

  @Test
  void anUnhealthyServerIsNamedWithItsParts() {
    assertThat(doctor("{\"status\":\"DOWN\",\"details\":{\"nats\":{\"status\":\"DOWN\"}}}", 200, FINE))
        .isEqualTo(CliException.FAILED);

    assertThat(out.toString()).contains("the server is not healthy: nats");
  }

  @Test
  void withoutTheRightToAskItSaysSoAndShowsWhatCanBeSeenFromOutside() {
    assertThat(doctor(HEALTHY, 403, "{\"status\":403,\"detail\":\"needs an admin of all tenants\"}"))
        .isEqualTo(CliException.WARNINGS);

    assertThat(out.toString()).contains("needs an admin of all tenants", "the server is up");
  }

  @Test
  void asJsonItHasAllFindings() {
    assertThat(doctor(HEALTHY, 200, FINE, "--json")).isZero();

    JsonNode printed = RestClient.JSON.readTree(out.toString());
    assertThat(printed.path("severity").asString()).isEqualTo("ok");
    assertThat(printed.path("findings").valueStream().map(finding -> finding.path("part").asString()))
        .contains("rest", "nats");
  }

  @Test
  void aServerThatIsAwayEndsItWith4() {
    stub.close();

    assertThat(upliftIn("doctor")).isEqualTo(CliException.UNREACHABLE);
  }

  @Test
  void clockAndCertificateAreJudgedFromOutside() {
    assertThat(severities(Duration.ZERO, Duration.ofDays(15))).containsExactly("ok", "ok", "ok");
    assertThat(severities(Duration.ofSeconds(4), Duration.ofDays(15))).containsExactly("ok", "ok", "ok");
    assertThat(severities(Duration.ofSeconds(-5), Duration.ofDays(15))).containsExactly("ok", "ok", "ok");
    assertThat(severities(Duration.ofSeconds(5), Duration.ofDays(15))).containsExactly("ok", "warning", "ok");
    assertThat(severities(Duration.ofSeconds(-6), Duration.ofDays(13))).containsExactly("ok", "warning", "warning");
  }

  private static List<String> severities(Duration clock, Duration certificate) {
    ServerObservation seen =
        new ServerObservation(UP, NOW, Optional.of(NOW.plus(clock)), NOW, Optional.of(NOW.plus(certificate)));
    return DoctorCommand.judge(seen).stream().map(finding -> finding.path("severity").asString()).toList();
  }

  private int doctor(String health, int status, String diagnosis, String... more) {
    stub.answerAtPathEnd("/health", 200, health).answerAtPathEnd("/v1/diagnosis", status, diagnosis);
    return upliftIn("doctor", more);
  }
}
