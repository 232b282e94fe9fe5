package dev.uplift.api.windows;

import dev.uplift.services.window.WindowJson;
import dev.uplift.store.device.LabelWindowRow;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;

/// The windows of all devices with a value of a label.
///
/// @param version rises with every change; also the ETag
@Serdeable
record LabelWindowView(
    String label, String value, List<WindowView> windows, long version, String changedBy, Instant changedAt) {

  static LabelWindowView of(LabelWindowRow row) {
    return new LabelWindowView(
        row.label(),
        row.value(),
        WindowView.all(WindowJson.read(row.windows())),
        row.version(),
        row.changedBy(),
        row.changedAt());
  }
}
