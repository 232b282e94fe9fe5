package dev.uplift.activities.temporal;

import dev.uplift.services.diagnosis.CertificateExpiry;
import dev.uplift.services.diagnosis.DiagnosisCheck;
import dev.uplift.services.diagnosis.DiagnosisFinding;
import dev.uplift.services.diagnosis.PresentedCertificates;
import dev.uplift.services.diagnosis.PresentedCertificates.Preface;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/// Checks how long the certificate is valid that Temporal presents. It connects by itself, so that it sees an expired
/// one too.
@Singleton
final class TemporalCertificateDiagnosis implements DiagnosisCheck {
  private static final int DEFAULT_PORT = 443;

  private final TemporalSettings settings;
  private final InstantSource clock;

  TemporalCertificateDiagnosis(TemporalSettings settings, InstantSource clock) {
    this.settings = settings;
    this.clock = clock;
  }

  @Override
  public List<DiagnosisFinding> diagnose() {
    return List.of(
        settings.tls().isPresent()
            ? diagnose(settings.target())
            : DiagnosisFinding.ok(CertificateExpiry.PART, "Temporal is used without TLS"));
  }

  private DiagnosisFinding diagnose(String target) {
    try {
      URI address = URI.create("tls://" + target.substring(target.lastIndexOf('/') + 1));
      int port = address.getPort() < 0 ? DEFAULT_PORT : address.getPort();
      Instant end =
          CertificateExpiry.first(
                  PresentedCertificates.read(String.valueOf(address.getHost()), port, Preface.NONE, "h2"))
              .orElseThrow(() -> new IOException("it presents none"));
      return CertificateExpiry.judge(
          "the certificate of Temporal at " + target, end, clock.instant(), "renew it where TLS of Temporal ends");
    } catch (IOException | IllegalArgumentException e) {
      return DiagnosisFinding.warning(
          CertificateExpiry.PART,
          "the certificate of Temporal at %s cannot be read: %s".formatted(target, e.getMessage()),
          "see what is found about temporal");
    }
  }
}
