package dev.uplift.api.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.ServerHome;
import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.TestServer;
import dev.uplift.api.testing.TestTenant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

@ExtendWith(SharedServerExtension.class)
final class DiagnosisControllerTest {
  private static final long MIB = 1 << 20;

  @Test
  void whatIsAwayIsCriticalWithAnAdviceAndTheRestIsStillChecked(TestServer server) {
    JsonNode diagnosis = server.clientWithRole("admin", "*").get("/v1/diagnosis").expectStatus(200).json();

    assertThat(diagnosis.path("severity").asString()).isEqualTo("critical");
    assertThat(severities(diagnosis, "nats")).containsExactly("critical");
    assertThat(severities(diagnosis, "temporal")).containsExactly("critical");
    assertThat(severities(diagnosis, "database")).containsExactly("ok", "ok");
    assertThat(severities(diagnosis, "convergence")).isNotEmpty().containsOnly("warning");
    assertThat(severities(diagnosis, "certificates")).containsExactly("ok", "ok", "ok");
    assertThat(diagnosis.path("findings"))
        .allSatisfy(
            finding -> assertThat(finding.has("advice")).isEqualTo(!finding.path("severity").asString().equals("ok")));
  }

  @Test
  void aCertificateThatCannotBeReadIsFound() throws IOException {
    ServerHome home = new ServerHome();
    Map<String, String> environment = new HashMap<>(home.environment());
    Path authorities = Files.writeString(Path.of(home.path("ca.pem")), "none");
    environment.put("UPLIFT_NATS_CA_FILE", authorities.toString());
    try (TestServer server = TestServer.of(home, environment)) {
      JsonNode diagnosis = server.clientWithRole("admin", "*").get("/v1/diagnosis").expectStatus(200).json();

      assertThat(severities(diagnosis, "certificates")).containsExactlyInAnyOrder("critical", "warning", "ok");
      assertThat(server.anonymousClient().get("/prometheus").expectStatus(200).text())
          .contains("uplift_certificate_expires_in_seconds{certificate=\"nats-authority\"} NaN");
    }
  }

  @Test
  void itIsForAdminsOfAllTenants(TestTenant tenant) {
    assertThat(tenant.admin().get("/v1/diagnosis").expectStatus(403).detail()).contains("all tenants");
  }

  @ParameterizedTest
  @CsvSource({
    "20000, 100000, OK",
    "10000, 100000, OK",
    "9999, 100000, WARNING",
    "1023, 2000, WARNING",
    "0, 0, WARNING",
  })
  void lessThanATenthOrAGibibyteIsScarce(long freeMib, long totalMib, String severity) {
    assertThat(ArtifactSpaceMonitor.judge(freeMib * MIB, totalMib * MIB).severity()).hasToString(severity);
  }

  private static List<String> severities(JsonNode diagnosis, String part) {
    return diagnosis
        .path("findings")
        .valueStream()
        .filter(finding -> finding.path("part").asString().equals(part))
        .map(finding -> finding.path("severity").asString())
        .toList();
  }
}
