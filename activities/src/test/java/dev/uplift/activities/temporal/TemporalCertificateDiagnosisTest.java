package dev.uplift.activities.temporal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.services.TestKeyStores;
import dev.uplift.services.TestStacks;
import dev.uplift.services.TlsGreeter;
import dev.uplift.services.diagnosis.DiagnosisFinding;
import dev.uplift.services.diagnosis.DiagnosisFinding.Severity;
import dev.uplift.temporaldev.stack.Stack;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TemporalCertificateDiagnosisTest {
  @TempDir private Path folder;

  @Test
  void theCertificateOfATemporalThatRequiresOneOfItsClientsIsRead() throws Exception {
    try (Stack stack = TestStacks.open()) {
      stack.temporal().start();
      try (TlsProxy proxy = new TlsProxy(stack.secrets().certificates(), stack.temporal().target())) {
        DiagnosisFinding finding = diagnose(proxy.target());

        assertThat(finding.severity()).as(finding.text()).isEqualTo(Severity.OK);
        assertThat(finding.text()).startsWith("the certificate of Temporal at " + proxy.target() + " is valid until ");
      }
    }
  }

  @Test
  void certificatesThatHaveExpiredOrSoonWillAreFound() throws Exception {
    try (TlsGreeter expired = server(Duration.ofDays(20), Duration.ofDays(10));
        TlsGreeter expiring = server(Duration.ofDays(20), Duration.ofDays(30))) {
      assertThat(diagnose("localhost:" + expired.port()).severity()).isEqualTo(Severity.CRITICAL);
      assertThat(diagnose("dns:///localhost:" + expiring.port()))
          .satisfies(finding -> {
            assertThat(finding.severity()).isEqualTo(Severity.WARNING);
            assertThat(finding.text()).endsWith(", in 9 days");
          });
    }
  }

  @Test
  void aTemporalThatIsAwayIsReportedAndOneWithoutTlsIsNotAsked() throws Exception {
    assertThat(diagnose("127.0.0.1:1").severity()).isEqualTo(Severity.WARNING);
    assertThat(
            new TemporalCertificateDiagnosis(new TemporalSettings("127.0.0.1:1", "default"), InstantSource.system())
                .diagnose())
        .containsExactly(DiagnosisFinding.ok("certificates", "Temporal is used without TLS"));
  }

  private TlsGreeter server(Duration age, Duration validity) throws Exception {
    return new TlsGreeter(TestKeyStores.create(folder, age, validity), "");
  }

  private static DiagnosisFinding diagnose(String target) throws Exception {
    Optional<TemporalTls> tls = Optional.of(TemporalTls.read(Optional.empty(), Optional.empty()));
    return new TemporalCertificateDiagnosis(
            new TemporalSettings(target, "default", "", tls, Optional.empty()), InstantSource.system())
        .diagnose()
        .getFirst();
  }
}
