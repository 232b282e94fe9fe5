package dev.uplift.api.artifacts;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The part of a file that a request asks for (RFC 9110, section 14), of which there may be one.
///
/// @param first byte
/// @param last byte, inclusive
record ByteRange(long first, long last) {
  private static final Pattern FORM = Pattern.compile("bytes=([0-9]{0,18})-([0-9]{0,18})");

  /// What a header asks for.
  sealed interface Asked {
    /// Everything; also where the header is not one that we understand.
    record Whole() implements Asked {}

    record Part(ByteRange range) implements Asked {}

    /// Nothing that the file has.
    record Nothing() implements Asked {}
  }

  static Asked asked(Optional<String> header, long size) {
    return header.map(text -> asked(text, size)).orElseGet(Asked.Whole::new);
  }

  private static Asked asked(String header, long size) {
    Matcher range = FORM.matcher(header.strip());
    if (!range.matches() || (range.group(1).isEmpty() && range.group(2).isEmpty())) {
      return new Asked.Whole();
    }
    return range.group(1).isEmpty()
        ? suffix(Long.parseLong(range.group(2)), size)
        : from(Long.parseLong(range.group(1)), range.group(2), size);
  }

  private static Asked suffix(long length, long size) {
    return length == 0 || size == 0
        ? new Asked.Nothing()
        : new Asked.Part(new ByteRange(Math.max(0, size - length), size - 1));
  }

  private static Asked from(long first, String lastText, long size) {
    long last = lastText.isEmpty() ? Long.MAX_VALUE : Long.parseLong(lastText);
    if (last < first) {
      return new Asked.Whole();
    }
    return first >= size
        ? new Asked.Nothing()
        : new Asked.Part(new ByteRange(first, Math.min(last, size - 1)));
  }

  long length() {
    return last - first + 1;
  }

  String contentRange(long size) {
    return "bytes %d-%d/%d".formatted(first, last, size);
  }
}
