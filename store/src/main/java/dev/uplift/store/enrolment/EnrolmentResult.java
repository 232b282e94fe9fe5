package dev.uplift.store.enrolment;

import dev.uplift.fleet.HostId;

/// What came of a host's wish to join, or to stay. Only after [Accepted] has anything changed.
public sealed interface EnrolmentResult {
  /// It may.
  ///
  /// @param cleaned whether what was there of the host before is cleared away
  /// @param rotationRequested whether it is to take a new key
  record Accepted(HostId host, boolean cleaned, boolean rotationRequested) implements EnrolmentResult {}

  /// It may not.
  record Rejected(RejectionReason reason) implements EnrolmentResult {}

  /// Why not.
  enum RejectionReason {
    TOKEN_UNKNOWN,
    TOKEN_EXPIRED,
    /// By another key than the one that asks.
    TOKEN_USED,
    /// It is on no device any more.
    NO_SUCH_HOST,
    /// The key belongs to another host, or to another time of this one.
    KEY_REVOKED,
    KEY_UNKNOWN,
    /// It has had more of them within a day than anybody needs.
    TOO_MANY_KEYS
  }
}
