package dev.uplift.api.diagnosis;

import dev.uplift.services.diagnosis.DiagnosisFinding;
import dev.uplift.services.diagnosis.DiagnosisFinding.Severity;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/// The findings of all checks.
///
/// @param severity the worst of them
/// @param findings those of a part together, the worst of it first
@Serdeable
record DiagnosisView(
    @Schema(implementation = Severity.class) String severity, Instant checkedAt, List<FindingView> findings) {
  static DiagnosisView of(Instant checkedAt, List<DiagnosisFinding> findings) {
    Severity worst =
        findings.stream().map(DiagnosisFinding::severity).max(Comparator.naturalOrder()).orElse(Severity.OK);
    Comparator<DiagnosisFinding> order =
        Comparator.comparing(DiagnosisFinding::part)
            .thenComparing(DiagnosisFinding::severity, Comparator.reverseOrder());
    return new DiagnosisView(
        FindingView.word(worst), checkedAt, findings.stream().sorted(order).map(FindingView::of).toList());
  }
}
