package dev.uplift.services.trust;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.protocol.signature.SigningKey;
import dev.uplift.services.diagnosis.DiagnosisFinding;
import dev.uplift.services.diagnosis.DiagnosisFinding.Severity;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class TrustDiagnosisTest {
  private static final Instant END = Instant.parse("2027-03-01T00:00:00Z");

  private final SigningKey key = SigningKey.generate();
  private final TenantFixture tenancy = new TenantFixture();
  private Instant now = END.minus(Duration.ofDays(60));
  private final TrustDiagnosis check = new TrustDiagnosis(tenancy.trustRoots(), CommandKeys.of(key), () -> now);

  @AfterEach
  void close() {
    tenancy.close();
  }

  @Test
  void aValidRootThatNamesAKeyOfThisServerIsFine() {
    tenancy.publish(END, key);

    assertThat(severities()).containsExactly(Severity.OK);
  }

  @Test
  void aRootIsReportedBeforeItExpiresAndWhenItHas() {
    tenancy.publish(END, key);

    now = END.minus(Duration.ofDays(29));
    assertThat(severities()).containsExactly(Severity.WARNING);

    now = END;
    assertThat(severities()).containsExactly(Severity.CRITICAL);
    assertThat(check.diagnose().getFirst().text()).contains("root 1 of " + tenancy.name, "no upgrade");
    assertThat(check.diagnose().getFirst().advice()).contains("uplift keys root renew");
  }

  @Test
  void aRootThatNamesNoKeyOfThisServerIsReported() {
    tenancy.publish(END, SigningKey.generate());

    assertThat(severities()).containsExactly(Severity.CRITICAL);
    assertThat(check.diagnose().getFirst().advice()).contains("UPLIFT_COMMAND_KEYS_FOLDER");
  }

  @Test
  void withoutTheDatabaseNothingIsClaimed() {
    tenancy.close();

    assertThat(severities()).containsExactly(Severity.WARNING);
  }

  private List<Severity> severities() {
    return check.diagnose().stream().map(DiagnosisFinding::severity).toList();
  }
}
