package dev.uplift.api.upgrades;

import dev.uplift.api.json.ValueReaders;
import dev.uplift.fleet.HostId;
import java.time.Instant;
import java.util.Optional;

/// The action on a running upgrade that a request asks for.
///
/// @param reason for the audit; may be empty
/// @param host that it concerns; if empty, the one that waits, or none
/// @param notAfter the new deadline, of `extend-deadline`
record RequestedAction(Kind kind, String reason, Optional<HostId> host, Optional<Instant> notAfter) {
  /// The words of the API.
  enum Kind {
    ABORT,
    PAUSE,
    RESUME,
    RETRY_STEP,
    SKIP_HOST,
    EXTEND_DEADLINE,
    APPROVE,
    DENY;

    @Override
    public String toString() {
      return ValueReaders.enumWord(this);
    }
  }

  String auditText() {
    String what = host.map(HostId::value).or(() -> notAfter.map(Instant::toString)).orElse("");
    return what.isEmpty() || reason.isEmpty() ? what + reason : what + ": " + reason;
  }
}
