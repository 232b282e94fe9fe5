package dev.uplift.api.diagnosis;

import dev.uplift.api.settings.Settings;
import dev.uplift.services.diagnosis.CertificateExpiry;
import dev.uplift.services.diagnosis.DiagnosisCheck;
import dev.uplift.services.diagnosis.DiagnosisFinding;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Watches when the certificates in the files of this server expire. Reads the files again each time, because they are
/// replaced while it runs.
@Singleton
public final class CertificateMonitor implements DiagnosisCheck {
  private final Map<String, Optional<Path>> files;
  private final InstantSource clock;
  private final MeterRegistry meters;

  CertificateMonitor(Settings settings, InstantSource clock, MeterRegistry meters) {
    this.files = new TreeMap<>(settings.certificateFiles());
    this.clock = clock;
    this.meters = meters;
  }

  /// Exports the time until each file's first certificate expires. Once.
  public void export() {
    files.forEach((use, file) ->
        Gauge.builder("uplift.certificate.expires.in", this, each -> each.secondsLeft(file))
            .baseUnit("seconds")
            .description("until the first certificate in a file of this server expires")
            .tag("certificate", use)
            .register(meters));
  }

  private double secondsLeft(Optional<Path> file) {
    try {
      return file.isEmpty() ? Double.NaN : Duration.between(clock.instant(), firstExpiry(file.get())).toSeconds();
    } catch (IOException | CertificateException _) {
      return Double.NaN;
    }
  }

  @Override
  public List<DiagnosisFinding> diagnose() {
    List<DiagnosisFinding> findings = new ArrayList<>();
    files.forEach((use, file) -> file.ifPresent(path -> findings.add(judge(use, path, clock.instant()))));
    return findings.isEmpty()
        ? List.of(DiagnosisFinding.ok(CertificateExpiry.PART, "this server has no files with certificates"))
        : findings;
  }

  /// @param use of the certificates, such as `temporal-client`
  static DiagnosisFinding judge(String use, Path file, Instant now) {
    try {
      return CertificateExpiry.judge(use, firstExpiry(file), now, "replace " + file);
    } catch (IOException | CertificateException e) {
      return DiagnosisFinding.critical(
          CertificateExpiry.PART,
          "%s cannot be read from %s: %s".formatted(use, file, e.getMessage()),
          "put certificates (PEM) there that the user of the server may read");
    }
  }

  private static Instant firstExpiry(Path file) throws IOException, CertificateException {
    try (InputStream in = Files.newInputStream(file)) {
      return CertificateExpiry.first(CertificateFactory.getInstance("X.509").generateCertificates(in))
          .orElseThrow(() -> new CertificateException("there is none"));
    }
  }
}
