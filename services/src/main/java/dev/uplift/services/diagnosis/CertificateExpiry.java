package dev.uplift.services.diagnosis;

import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/// Judges how long certificates are still valid.
public final class CertificateExpiry {
  /// The part of the installation that all certificates are.
  public static final String PART = "certificates";

  private static final Duration WARNING_PERIOD = Duration.ofDays(14);

  private CertificateExpiry() {}

  /// Returns when the first of some certificates expires; empty if there is none.
  public static Optional<Instant> first(Collection<? extends Certificate> certificates) {
    return certificates.stream()
        .map(certificate -> ((X509Certificate) certificate).getNotAfter().toInstant())
        .min(Comparator.naturalOrder());
  }

  /// Judges a certificate: one that expires soon is a warning.
  ///
  /// @param subject which certificate it is, at the beginning of a sentence
  /// @param end when it expires
  /// @param advice how to replace it
  public static DiagnosisFinding judge(String subject, Instant end, Instant now, String advice) {
    if (!now.isBefore(end)) {
      return DiagnosisFinding.critical(PART, "%s expired at %s".formatted(subject, end), advice);
    }
    long days = Duration.between(now, end).toDays();
    return now.plus(WARNING_PERIOD).isBefore(end)
        ? DiagnosisFinding.ok(PART, "%s is valid until %s, %d days".formatted(subject, end, days))
        : DiagnosisFinding.warning(PART, "%s expires at %s, in %d days".formatted(subject, end, days), advice);
  }
}
