package dev.uplift.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/// Where a page ended: the parts of the last row by which the list is sorted.
public final class Cursor {
  private static final String SEPARATOR = "\n";

  private final String text;
  private final List<String> parts;

  private Cursor(String text, List<String> parts) {
    this.text = text;
    this.parts = parts;
  }

  public static String encode(String... parts) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(String.join(SEPARATOR, parts).getBytes(UTF_8));
  }

  /// The cursor of `page`, if it is not the first.
  ///
  /// @param count how many parts it has
  public static Optional<Cursor> of(PageRequest page, int count) {
    return page.cursor().map(text -> decode(text, count));
  }

  private static Cursor decode(String text, int count) {
    try {
      String plain = new String(Base64.getUrlDecoder().decode(text), UTF_8);
      List<String> parts = List.of(plain.split(SEPARATOR, -1));
      if (parts.size() == count) {
        return new Cursor(text, parts);
      }
    } catch (IllegalArgumentException _) {
      // Not even Base64: said below.
    }
    throw new MalformedCursor(text);
  }

  public String part(int index) {
    return parts.get(index);
  }

  public long longValue(int index) {
    try {
      return Long.parseLong(part(index));
    } catch (NumberFormatException _) {
      throw new MalformedCursor(text);
    }
  }

  public Instant instant(int index) {
    try {
      return Instant.ofEpochMilli(longValue(index));
    } catch (DateTimeException _) {
      throw new MalformedCursor(text);
    }
  }

  /// The page, of rows that were asked for one more than wanted, to see whether there are more.
  public static <T> Page<T> toPage(List<T> rows, PageRequest wanted, Function<T, String> cursor) {
    if (rows.size() <= wanted.limit()) {
      return new Page<>(rows, Optional.empty());
    }
    List<T> shown = rows.subList(0, wanted.limit());
    return new Page<>(shown, Optional.of(cursor.apply(shown.getLast())));
  }

  /// Where a list goes on that is sorted by a number, the highest first: below this.
  public static long numberBefore(PageRequest page) {
    return of(page, 1).map(end -> end.longValue(0)).orElse(Long.MAX_VALUE);
  }

  /// The page, as [#toPage], of rows that are sorted by this number.
  public static <T> Page<T> toPageByNumber(List<T> rows, PageRequest wanted, ToLongFunction<T> number) {
    return toPage(rows, wanted, row -> encode(Long.toString(number.applyAsLong(row))));
  }
}
