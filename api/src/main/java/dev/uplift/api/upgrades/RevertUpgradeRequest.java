package dev.uplift.api.upgrades;

import dev.uplift.api.json.BodyErrors;
import dev.uplift.api.json.RequestBody;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.core.bind.annotation.Bindable;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Options of a revert.
///
/// @param notAfter deadline: no host is started after it
/// @param reason for the audit; may be empty
/// @param overridePin also if the package is pinned to another version on the device than the one before, or held
@Introspected
record RevertUpgradeRequest(
    @Nullable Instant notAfter,
    @Bindable(defaultValue = "") @Size(max = 500) String reason,
    @Bindable(defaultValue = "false") boolean overridePin)
    implements RequestBody {

  static final RevertUpgradeRequest EMPTY = new RevertUpgradeRequest(null, "", false);

  @Override
  public void check(BodyErrors errors, Instant now) {
    UpgradeDeadline.check(notAfter, errors, now);
  }

  Instant deadline(Instant now) {
    return UpgradeDeadline.orTomorrow(notAfter, now);
  }

  /// Returns the text for the audit; empty without a reason.
  String auditText() {
    return (overridePin ? ", pins overridden" : "") + (reason.isEmpty() ? "" : ": " + reason);
  }
}
