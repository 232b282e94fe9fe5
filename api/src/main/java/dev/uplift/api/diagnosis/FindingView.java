package dev.uplift.api.diagnosis;

import dev.uplift.services.diagnosis.DiagnosisFinding;
import dev.uplift.services.diagnosis.DiagnosisFinding.Severity;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Locale;
import java.util.Optional;

/// A single finding.
///
/// @param part of the installation, such as `nats`
/// @param severity `ok`; `warning`: something works less well, or will stop to work; `critical`: something does not
///   work
/// @param text what was found
/// @param advice what to do; absent: nothing
@Serdeable
record FindingView(
    String part, @Schema(implementation = Severity.class) String severity, String text, Optional<String> advice) {
  static FindingView of(DiagnosisFinding finding) {
    return new FindingView(
        finding.part(),
        word(finding.severity()),
        finding.text(),
        Optional.of(finding.advice()).filter(advice -> !advice.isEmpty()));
  }

  static String word(Severity severity) {
    return severity.name().toLowerCase(Locale.ROOT);
  }
}
