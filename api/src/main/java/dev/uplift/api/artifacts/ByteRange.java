package dev.uplift.api.artifacts;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The part of a file that a request asks for (RFC 9110, section 14). Supports a single range.
///
/// @param first byte
/// @param last byte, inclusive
record ByteRange(long first, long last) {
  private static final Pattern PATTERN = Pattern.compile("bytes=([0-9]{0,18})-([0-9]{0,18})");

  /// The meaning of a header.
  sealed interface Requested {
    /// The whole file; also if the header is not understood.
    record WholeFile() implements Requested {}

    record Part(ByteRange range) implements Requested {}

    /// Outside of the file.
    record Unsatisfiable() implements Requested {}
  }

  static Requested parse(Optional<String> header, long size) {
    return header.map(text -> parse(text, size)).orElseGet(Requested.WholeFile::new);
  }

  private static Requested parse(String header, long size) {
    Matcher range = PATTERN.matcher(header.strip());
    if (!range.matches() || (range.group(1).isEmpty() && range.group(2).isEmpty())) {
      return new Requested.WholeFile();
    }
    return range.group(1).isEmpty()
        ? suffix(Long.parseLong(range.group(2)), size)
        : from(Long.parseLong(range.group(1)), range.group(2), size);
  }

  private static Requested suffix(long length, long size) {
    return length == 0 || size == 0
        ? new Requested.Unsatisfiable()
        : new Requested.Part(new ByteRange(Math.max(0, size - length), size - 1));
  }

  private static Requested from(long first, String lastText, long size) {
    long last = lastText.isEmpty() ? Long.MAX_VALUE : Long.parseLong(lastText);
    if (last < first) {
      return new Requested.WholeFile();
    }
    return first >= size
        ? new Requested.Unsatisfiable()
        : new Requested.Part(new ByteRange(first, Math.min(last, size - 1)));
  }

  long length() {
    return last - first + 1;
  }

  String contentRange(long size) {
    return "bytes %d-%d/%d".formatted(first, last, size);
  }
}
