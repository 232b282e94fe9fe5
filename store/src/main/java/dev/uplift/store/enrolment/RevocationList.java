package dev.uplift.store.enrolment;

import java.util.List;

/// A list of revoked keys that NATS was told.
///
/// @param issuedAtSecond the second that it bears; a newer list bears a later one
/// @param digest of what was told
public record RevocationList(long issuedAtSecond, String digest) {
  /// Tells it. May be called again where it was not told, or where it is not sure that it was.
  @FunctionalInterface
  public interface Publisher {
    /// Returns what has been told by now.
    ///
    /// @param last that was told
    /// @param revoked as the tables have it now
    RevocationList publish(RevocationList last, List<RevokedKey> revoked);
  }
}
