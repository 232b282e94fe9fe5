package dev.uplift.store;

import dev.uplift.fleet.HostId;

/// What came of a host's wish to join, or to stay. Only after [Admitted] has anything changed.
public sealed interface Joined {
  /// It may.
  ///
  /// @param settled whether what was there of the host before is cleared away
  /// @param rotate whether it is to take a new key
  record Admitted(HostId host, boolean settled, boolean rotate) implements Joined {}

  /// It may not.
  record Denied(Why why) implements Joined {}

  /// Why not.
  enum Why {
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
