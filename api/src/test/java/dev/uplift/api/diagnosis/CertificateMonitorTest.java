package dev.uplift.api.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.services.diagnosis.DiagnosisFinding;
import dev.uplift.services.diagnosis.DiagnosisFinding.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CertificateMonitorTest {
  private static final Instant END = Instant.parse("2036-11-22T15:38:59Z");

  /// Self-signed; the key was never kept.
  private static final String CERTIFICATE =
      """
      -----BEGIN CERTIFICATE-----
      MIIBdDCCARmgAwIBAgIUREtEmvvTRlUiEMXR75OQFmFvvA4wCgYIKoZIzj0EAwIw
      DzENMAsGA1UEAwwEdGVzdDAeFw0yNjExMjUxNTM4NTlaFw0zNjExMjIxNTM4NTla
      MA8xDTALBgNVBAMMBHRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARd1clz
      Q+zuTjRa/6bMx98IoBCc0I7fPcgbeQhu9d9fUeqcl3l4VINOKyh7HfirpjmYrPWC
      iyzekHsa4BzhlPEio1MwUTAdBgNVHQ4EFgQU/wdQfpHWVFiS7JnExmRBEgLByoEw
      HwYDVR0jBBgwFoAU/wdQfpHWVFiS7JnExmRBEgLByoEwDwYDVR0TAQH/BAUwAwEB
      /zAKBggqhkjOPQQDAgNJADBGAiEA9uMuTxY5X+Zl30M4hTIp6kdC/5TBVagZr96e
      bzyul+sCIQDhYUIMcDeuOs2mks6prQJEp2Nhl6ouNt54tFMF2NSKsw==
      -----END CERTIFICATE-----
      """;

  @TempDir private Path folder;

  @Test
  void aCertificateIsReportedTwoWeeksBeforeItExpires() throws IOException {
    Path file = Files.writeString(folder.resolve("ca.pem"), CERTIFICATE);

    assertThat(judge(file, END.minus(Duration.ofDays(15))).severity()).isEqualTo(Severity.OK);
    assertThat(judge(file, END.minus(Duration.ofDays(13))).severity()).isEqualTo(Severity.WARNING);
    assertThat(judge(file, END.minus(Duration.ofDays(13))).text()).endsWith(", in 13 days");
    assertThat(judge(file, END).severity()).isEqualTo(Severity.CRITICAL);
    assertThat(judge(file, END).text()).isEqualTo("nats-authority expired at 2036-11-22T15:38:59Z");
    assertThat(judge(file, END).advice()).isEqualTo("replace " + file);
  }

  @Test
  void aFileWithoutCertificatesIsReported() throws IOException {
    Path file = Files.writeString(folder.resolve("ca.pem"), "");

    assertThat(judge(file, END).severity()).isEqualTo(Severity.CRITICAL);
    assertThat(judge(folder.resolve("absent"), END).severity()).isEqualTo(Severity.CRITICAL);
  }

  private static DiagnosisFinding judge(Path file, Instant now) {
    return CertificateMonitor.judge("nats-authority", file, now);
  }
}
