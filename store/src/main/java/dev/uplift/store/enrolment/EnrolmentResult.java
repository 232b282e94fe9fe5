package dev.uplift.store.enrolment;

import dev.uplift.fleet.HostId;

/// The answer to a host that asks to join or to renew. Only after [Accepted] has anything changed.
public sealed interface EnrolmentResult {
  /// The host may.
  ///
  /// @param cleaned whether the state of the earlier host is removed
  /// @param rotationRequested whether the host has to rotate its key
  record Accepted(HostId host, boolean cleaned, boolean rotationRequested) implements EnrolmentResult {}

  /// The host may not.
  record Rejected(RejectionReason reason) implements EnrolmentResult {}

  /// Why a host was rejected.
  enum RejectionReason {
    TOKEN_UNKNOWN,
    TOKEN_EXPIRED,
    /// By another key than the one in the request.
    TOKEN_USED,
    /// The host is on no device any more.
    NO_SUCH_HOST,
    /// The key belongs to another host, or was revoked.
    KEY_REVOKED,
    KEY_UNKNOWN,
    /// The host has had more keys within a day than the limit.
    TOO_MANY_KEYS
  }
}
