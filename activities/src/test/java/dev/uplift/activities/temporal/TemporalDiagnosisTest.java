package dev.uplift.activities.temporal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.InProcessServer;
import dev.uplift.activities.SharedInProcessServerExtension;
import dev.uplift.services.diagnosis.DiagnosisFinding;
import dev.uplift.services.diagnosis.DiagnosisFinding.Severity;
import io.grpc.StatusRuntimeException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.temporal.api.workflowservice.v1.RegisterNamespaceRequest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedInProcessServerExtension.class)
final class TemporalDiagnosisTest {
  @Test
  void nothingIsFoundWhereAServerOfTheRoleWorkerRuns() {
    InProcessServer server = InProcessServer.shared();
    TemporalDiagnosis check = new TemporalDiagnosis(server.bean(TemporalClients.class));

    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(critical(check.diagnose())).as("%s", check.diagnose()).isEmpty());
    assertThat(check.diagnose()).first().asString().contains("Temporal 1.");
  }

  @Test
  void aNamespaceWithoutSearchAttributesAndPollersIsFound() {
    try (TemporalClients temporal = connect(target(), "bare")) {
      var _ =
          temporal
              .requestClient()
              .getWorkflowServiceStubs()
              .blockingStub()
              .registerNamespace(
                  RegisterNamespaceRequest.newBuilder()
                      .setNamespace("bare")
                      .setWorkflowExecutionRetentionPeriod(
                          com.google.protobuf.Duration.newBuilder().setSeconds(Duration.ofDays(1).toSeconds()))
                      .build());
      TemporalDiagnosis check = new TemporalDiagnosis(temporal);

      // Temporal reads its namespaces every few seconds.
      await()
          .atMost(Duration.ofSeconds(60))
          .ignoreException(StatusRuntimeException.class)
          .untilAsserted(() -> assertThat(critical(check.diagnose())).hasSize(2));
      assertThat(critical(check.diagnose()))
          .anySatisfy(finding -> assertThat(finding.text()).contains("no search attribute Tenant, Device"))
          .anySatisfy(finding -> assertThat(finding.text()).contains("no server takes tasks of upgrade (workflow)"));
      assertThat(check.diagnose())
          .extracting(DiagnosisFinding::text)
          .contains("it forgets workflows 24 h after their end");
    }
  }

  @Test
  void aMissingNamespaceIsTheOnlyFinding() {
    try (TemporalClients temporal = connect(target(), "absent")) {
      assertThat(new TemporalDiagnosis(temporal).diagnose())
          .singleElement()
          .satisfies(finding -> assertThat(finding.text()).isEqualTo("it has no namespace absent"));
    }
  }

  @Test
  void aTemporalThatIsAwayIsTheOnlyFinding() {
    try (TemporalClients temporal = connect("127.0.0.1:1", "default")) {
      assertThat(new TemporalDiagnosis(temporal).diagnose())
          .singleElement()
          .satisfies(finding -> assertThat(finding.text()).startsWith("it does not answer: "));
    }
  }

  private static String target() {
    return InProcessServer.shared().stack().temporal().target();
  }

  private static TemporalClients connect(String target, String namespace) {
    return new TemporalClients(
        new TemporalSettings(target, namespace), new RequestSeal("secret"), new SimpleMeterRegistry());
  }

  private static List<DiagnosisFinding> critical(List<DiagnosisFinding> findings) {
    return findings.stream().filter(finding -> finding.severity() == Severity.CRITICAL).toList();
  }
}
