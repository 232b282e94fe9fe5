package dev.uplift.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// Pages of rows that a program decides on, not the tables.
public final class FilteredPage {
  /// So many rows are looked at for one page.
  public static final int MAX_ROWS_READ = 10 * PageRequest.MAX_LIMIT;

  private FilteredPage() {}

  /// A page that may have fewer rows than wanted, even none, and others after it all the same: there is more for as
  /// long as there is a cursor.
  ///
  /// @param pages of all rows, by name alone
  /// @param sieve keeps those that are wanted, in their order
  public static <R> Page<R> read(
      PageRequest wanted,
      Function<PageRequest, Page<R>> pages,
      UnaryOperator<List<R>> sieve,
      Function<R, String> name) {
    List<R> found = new ArrayList<>();
    Optional<String> cursor = wanted.cursor();
    int looked = 0;
    while (true) {
      Page<R> page = pages.apply(new PageRequest(cursor, PageRequest.MAX_LIMIT));
      for (R row : sieve.apply(page.rows())) {
        if (found.size() == wanted.limit()) {
          return new Page<>(found, Optional.of(Cursor.encode(name.apply(found.getLast()))));
        }
        found.add(row);
      }
      looked += page.rows().size();
      cursor = page.next();
      if (cursor.isEmpty() || found.size() == wanted.limit() || looked >= MAX_ROWS_READ) {
        return new Page<>(found, cursor);
      }
    }
  }
}
