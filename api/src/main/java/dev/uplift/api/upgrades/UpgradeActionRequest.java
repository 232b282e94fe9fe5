package dev.uplift.api.upgrades;

import dev.uplift.api.json.BodyErrors;
import dev.uplift.api.json.RequestBody;
import dev.uplift.fleet.HostId;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.core.bind.annotation.Bindable;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// An action on a running upgrade.
///
/// @param reason for the audit; may be empty
@Introspected
record UpgradeActionRequest(@Bindable(defaultValue = "") @Size(max = 500) String reason) implements RequestBody {
  static final UpgradeActionRequest EMPTY = new UpgradeActionRequest("");

  RequestedAction action(RequestedAction.Kind kind) {
    return new RequestedAction(kind, reason, Optional.empty(), Optional.empty());
  }

  /// An action on a host that waits for a person.
  ///
  /// @param reason for the audit; may be empty
  /// @param host by default the only one that waits
  @Introspected
  record HostActionRequest(@Bindable(defaultValue = "") @Size(max = 500) String reason, @Nullable HostId host)
      implements RequestBody {
    static final HostActionRequest EMPTY = new HostActionRequest("", null);

    RequestedAction action(RequestedAction.Kind kind) {
      return new RequestedAction(kind, reason, Optional.ofNullable(host), Optional.empty());
    }
  }

  /// A later deadline.
  ///
  /// @param reason for the audit; may be empty
  /// @param notAfter later than the present deadline, and at most 14 days from now
  @Introspected
  record ExtendDeadlineRequest(@Bindable(defaultValue = "") @Size(max = 500) String reason, Instant notAfter)
      implements RequestBody {
    @Override
    public void check(BodyErrors errors, Instant now) {
      UpgradeDeadline.check(notAfter, errors, now);
    }

    RequestedAction action() {
      return new RequestedAction(RequestedAction.Kind.EXTEND_DEADLINE, reason, Optional.empty(), Optional.of(notAfter));
    }
  }
}
