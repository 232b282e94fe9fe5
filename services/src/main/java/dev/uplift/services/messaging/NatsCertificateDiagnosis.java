package dev.uplift.services.messaging;

import dev.uplift.services.diagnosis.CertificateExpiry;
import dev.uplift.services.diagnosis.DiagnosisCheck;
import dev.uplift.services.diagnosis.DiagnosisFinding;
import dev.uplift.services.diagnosis.PresentedCertificates;
import jakarta.inject.Singleton;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/// Checks how long the certificates are valid that the servers of NATS present. It connects by itself, so that it sees
/// an expired one too.
@Singleton
public final class NatsCertificateDiagnosis implements DiagnosisCheck {
  /// A nats-server says less, even of a large cluster.
  private static final int MAX_PREFACE_BYTES = 64 * 1024;

  private final NatsSettings settings;
  private final InstantSource clock;

  public NatsCertificateDiagnosis(NatsSettings settings, InstantSource clock) {
    this.settings = settings;
    this.clock = clock;
  }

  @Override
  public List<DiagnosisFinding> diagnose() {
    return settings.usesTls()
        ? settings.addresses().stream().map(this::diagnose).toList()
        : List.of(DiagnosisFinding.ok(CertificateExpiry.PART, "NATS is used without TLS"));
  }

  private DiagnosisFinding diagnose(URI address) {
    String subject = "the certificate of NATS at " + address.getAuthority();
    try {
      Instant end =
          CertificateExpiry.first(
                  PresentedCertificates.read(
                      address.getHost(), address.getPort(), NatsCertificateDiagnosis::readPreface))
              .orElseThrow(() -> new IOException("it presents none"));
      return CertificateExpiry.judge(subject, end, clock.instant(), "renew it there, and let nats-server reload it");
    } catch (IOException e) {
      return DiagnosisFinding.warning(
          CertificateExpiry.PART,
          "%s cannot be read: %s".formatted(subject, e.getMessage()),
          "see what is found about nats");
    }
  }

  /// A nats-server says a line about itself, `INFO` and JSON, before the handshake.
  private static void readPreface(InputStream in) throws IOException {
    for (int i = 0; i < MAX_PREFACE_BYTES; i++) {
      int next = in.read();
      if (next < 0) {
        throw new EOFException("it has closed the connection");
      }
      if (next == '\n') {
        return;
      }
    }
    throw new IOException("it is no nats-server");
  }
}
