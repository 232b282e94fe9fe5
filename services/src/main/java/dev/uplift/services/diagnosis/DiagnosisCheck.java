package dev.uplift.services.diagnosis;

import java.util.List;

/// Looks at one part of an installation.
public interface DiagnosisCheck {
  /// Looks now, within seconds. Returns at least one finding, also about a part that is unavailable, and does not throw
  /// for that.
  List<DiagnosisFinding> diagnose();
}
