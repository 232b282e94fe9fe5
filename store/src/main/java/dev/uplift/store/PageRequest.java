package dev.uplift.store;

import java.util.Optional;

/// Which part of a list is wanted.
///
/// @param cursor where the page before ended, as [Page#next] said it; empty for the first
/// @param limit how many rows at most, 1 to [#MAX_LIMIT]
public record PageRequest(Optional<String> cursor, int limit) {
  public static final int MAX_LIMIT = 1000;

  public PageRequest {
    if (limit < 1 || limit > MAX_LIMIT) {
      throw new IllegalArgumentException("limit must be 1 to " + MAX_LIMIT + ", found " + limit);
    }
  }

  public static PageRequest first(int limit) {
    return new PageRequest(Optional.empty(), limit);
  }

  /// The page after `page`, if there is one.
  public Optional<PageRequest> next(Page<?> page) {
    return page.next().map(next -> new PageRequest(Optional.of(next), limit));
  }
}
