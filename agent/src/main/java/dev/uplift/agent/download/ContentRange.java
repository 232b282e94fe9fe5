package dev.uplift.agent.download;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Which bytes an answer says that it holds.
///
/// @param total of the whole; -1 if the server does not say
record ContentRange(long start, long total) {
  private static final Pattern FORM = Pattern.compile("bytes (\\d{1,18})-\\d{1,18}/(\\d{1,18}|\\*)");

  static Optional<ContentRange> parse(String header) {
    Matcher matcher = FORM.matcher(header.strip());
    return matcher.matches()
        ? Optional.of(new ContentRange(Long.parseLong(matcher.group(1)), total(matcher.group(2))))
        : Optional.empty();
  }

  private static long total(String text) {
    return text.equals("*") ? -1 : Long.parseLong(text);
  }
}
