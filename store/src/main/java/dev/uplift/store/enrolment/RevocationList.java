package dev.uplift.store.enrolment;

import io.micronaut.core.annotation.Introspected;
import java.util.List;

/// A list of revoked keys that was published to NATS.
///
/// @param issuedAtSecond the second that it carries; a newer list carries a later one
/// @param digest of what was published
@Introspected
public record RevocationList(long issuedAtSecond, String digest) {
  /// Publishes it. May be called again where it was not published, or may not have been.
  @FunctionalInterface
  public interface Publisher {
    /// Returns the list that is published now.
    ///
    /// @param last list that was published
    /// @param revoked as the tables have it now
    RevocationList publish(RevocationList last, List<RevokedKey> revoked);
  }
}
