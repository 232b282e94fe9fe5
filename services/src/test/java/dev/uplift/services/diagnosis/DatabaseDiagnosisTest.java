package dev.uplift.services.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.services.diagnosis.DiagnosisFinding.Severity;
import dev.uplift.store.Database;
import dev.uplift.store.DatabaseSettings;
import dev.uplift.store.reconciler.FailingWorkflow;
import dev.uplift.store.reconciler.FailingWorkflowRepository;
import dev.uplift.store.tenant.TenantRepository;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class DatabaseDiagnosisTest {
  private final Database database = Database.open(DatabaseSettings.h2InMemory());
  private final FailingWorkflowRepository failing = database.repository(FailingWorkflowRepository.class);

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void aDatabaseThatAnswersIsNamedWithItsVersion() {
    List<DiagnosisFinding> findings = new DatabaseDiagnosis(database, InstantSource.system()).diagnose();

    assertThat(findings).extracting(DiagnosisFinding::severity).containsOnly(Severity.OK);
    assertThat(findings.getFirst().text()).startsWith("H2 2");
  }

  @Test
  void aClockThatIsMinutesAwayIsFound() {
    InstantSource slow = () -> Instant.now().minus(Duration.ofMinutes(5));

    assertThat(new DatabaseDiagnosis(database, slow).diagnose())
        .extracting(DiagnosisFinding::severity)
        .containsExactly(Severity.OK, Severity.CRITICAL);
  }

  @Test
  void aDatabaseThatIsAwayIsCriticalAndWhatItWouldTellIsUnknown() {
    database.close();

    assertThat(new DatabaseDiagnosis(database, InstantSource.system()).diagnose())
        .singleElement()
        .satisfies(finding -> {
          assertThat(finding.severity()).isEqualTo(Severity.CRITICAL);
          assertThat(finding.advice()).contains("UPLIFT_DATABASE_URL");
        });
    assertThat(new FailingWorkflowDiagnosis(failing).diagnose())
        .extracting(DiagnosisFinding::severity)
        .containsExactly(Severity.WARNING);
  }

  @Test
  void theWorkflowThatHasFailedForLongestIsNamed() {
    FailingWorkflowDiagnosis check = new FailingWorkflowDiagnosis(failing);
    assertThat(check.diagnose()).extracting(DiagnosisFinding::severity).containsExactly(Severity.OK);

    database.repository(TenantRepository.class).put("acme", "");
    failing.put(new FailingWorkflow("acme", "rollout/acme/new", Instant.parse("2026-11-25T12:00:00Z"), 3, "later"));
    failing.put(new FailingWorkflow("acme", "upgrade/acme/old", Instant.parse("2026-11-25T11:00:00Z"), 9, "first"));

    assertThat(check.diagnose())
        .extracting(DiagnosisFinding::text)
        .containsExactly("2 do not continue, the first of them upgrade/acme/old since 2026-11-25T11:00:00Z: first");
  }
}
