package dev.uplift.api.call;

import dev.uplift.api.problem.Fault;
import dev.uplift.api.problem.Refusal;
import dev.uplift.store.Expected;
import io.micronaut.http.HttpHeaders;
import java.util.Optional;
import java.util.stream.Stream;

/// A row's version as an entity tag, and what a request relies on.
public final class Etag {
  private Etag() {}

  public static String of(long version) {
    return "\"" + version + "\"";
  }

  /// What `If-Match` and `If-None-Match` ask for.
  public static Expected expected(Call call) {
    Optional<String> match = header(call, HttpHeaders.IF_MATCH);
    Optional<String> noneMatch = header(call, HttpHeaders.IF_NONE_MATCH);
    if (noneMatch.isPresent()) {
      if (match.isPresent() || !noneMatch.get().equals("*")) {
        throw wrong(HttpHeaders.IF_NONE_MATCH, "expected * alone, for what must not exist yet");
      }
      return Expected.absent();
    }
    return match.map(Etag::version).orElse(Expected.anything());
  }

  /// Whether who asks for something has it already, by the `If-None-Match` of a `GET`.
  public static boolean isKnown(Call call, long version) {
    return header(call, HttpHeaders.IF_NONE_MATCH)
        .filter(tags ->
            tags.equals("*")
                || Stream.of(tags.split(",", -1))
                    .map(tag -> tag.strip().replaceFirst("^W/", ""))
                    .anyMatch(of(version)::equals))
        .isPresent();
  }

  private static Expected version(String tag) {
    if (tag.equals("*")) {
      return Expected.present();
    }
    try {
      if (tag.matches("\"[1-9][0-9]*\"")) {
        return Expected.version(Long.parseLong(tag, 1, tag.length() - 1, 10));
      }
    } catch (NumberFormatException _) {
      // Too long for a version.
    }
    throw wrong(HttpHeaders.IF_MATCH, "expected an ETag as it was sent, such as \"7\", or *");
  }

  private static Optional<String> header(Call call, String name) {
    return Optional.ofNullable(call.headers().get(name)).map(String::strip);
  }

  private static Refusal wrong(String header, String detail) {
    return Refusal.malformed(Fault.header(header, detail));
  }
}
