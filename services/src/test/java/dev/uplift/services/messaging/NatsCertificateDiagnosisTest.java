package dev.uplift.services.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.services.TestKeyStores;
import dev.uplift.services.TlsGreeter;
import dev.uplift.services.diagnosis.DiagnosisFinding;
import dev.uplift.services.diagnosis.DiagnosisFinding.Severity;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.testservers.TestServers;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NatsCertificateDiagnosisTest {
  private static final String INFO = "INFO {\"server_id\":\"one\",\"tls_required\":true}\r\n";

  @TempDir private Path folder;

  @Test
  void theCertificateOfARealServerIsRead() {
    try (Stack stack = TestServers.stack().tls().open()) {
      stack.nats().start();
      NatsSettings settings =
          new NatsSettings(
              stack.nats().url(),
              Optional.of(stack.nats().operator().serverCredentials()),
              Optional.of(stack.secrets().certificates().caCertificate()),
              1);

      assertThat(new NatsCertificateDiagnosis(settings, InstantSource.system()).diagnose())
          .singleElement()
          .satisfies(finding -> {
            assertThat(finding.severity()).as(finding.text()).isEqualTo(Severity.OK);
            assertThat(finding.text())
                .startsWith(
                    "the certificate of NATS at " + URI.create(stack.nats().url()).getAuthority() + " is valid until ");
          });
    }
  }

  @Test
  void certificatesThatHaveExpiredOrSoonWillAreFoundAtEachAddress() throws Exception {
    try (TlsGreeter expired = server(Duration.ofDays(20), Duration.ofDays(10));
        TlsGreeter expiring = server(Duration.ofDays(20), Duration.ofDays(30));
        TlsGreeter valid = server(Duration.ofDays(20), Duration.ofDays(60))) {
      List<DiagnosisFinding> findings =
          diagnose(
              "tls://127.0.0.1:%d, tls://127.0.0.1:%d,tls://127.0.0.1:%d,tls://ann:secret@127.0.0.1:1"
                  .formatted(expired.port(), expiring.port(), valid.port()));

      assertThat(findings)
          .extracting(DiagnosisFinding::severity)
          .containsExactly(Severity.CRITICAL, Severity.WARNING, Severity.OK, Severity.WARNING);
      assertThat(findings.get(0).text()).contains("127.0.0.1:" + expired.port(), " expired at ");
      assertThat(findings.get(1).text()).endsWith(", in 9 days");
      assertThat(findings.get(2).text()).endsWith(", 39 days");
      assertThat(findings.get(3).text()).startsWith("the certificate of NATS at 127.0.0.1:1 cannot be read: ");
    }
  }

  @Test
  void aServerThatIsNoneOfNatsIsReported() throws Exception {
    try (TlsGreeter other =
        new TlsGreeter(TestKeyStores.create(folder, Duration.ofDays(1), Duration.ofDays(60)), "x".repeat(70_000))) {
      assertThat(diagnose("tls://localhost:" + other.port()))
          .singleElement()
          .satisfies(finding -> assertThat(finding.text()).endsWith("cannot be read: it is no nats-server"));
    }
  }

  @Test
  void nothingIsReadWithoutTls() {
    assertThat(diagnose("nats://127.0.0.1:1"))
        .containsExactly(DiagnosisFinding.ok("certificates", "NATS is used without TLS"));
  }

  private TlsGreeter server(Duration age, Duration validity) throws Exception {
    return new TlsGreeter(TestKeyStores.create(folder, age, validity), INFO);
  }

  private static List<DiagnosisFinding> diagnose(String url) {
    return new NatsCertificateDiagnosis(
            new NatsSettings(url, Optional.empty(), Optional.empty(), 1), InstantSource.system())
        .diagnose();
  }
}
