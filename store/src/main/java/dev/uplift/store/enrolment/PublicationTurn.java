package dev.uplift.store.enrolment;

import java.util.List;

/// A server's turn to publish the revoked keys.
///
/// @param last list that was published
/// @param revoked as the tables have it now
public record PublicationTurn(RevocationList last, List<RevokedKey> revoked) {
  public PublicationTurn {
    revoked = List.copyOf(revoked);
  }
}
