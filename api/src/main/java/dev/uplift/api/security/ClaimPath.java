package dev.uplift.api.security;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Where in a token a claim is: its name, or names of nested objects with dots between them, such as
/// `realm_access.roles`.
///
/// A claim that has the whole text as its name comes first, so names with dots (`https://example.com/roles`) work as
/// well.
///
/// @param text the name or names
public record ClaimPath(String text) {
  public ClaimPath {
    if (text.isBlank() || text.startsWith(".") || text.endsWith(".") || text.contains("..")) {
      throw new IllegalArgumentException("expected the name of a claim such as roles or realm_access.roles");
    }
  }

  /// Returns the texts at this place, those of lists one by one; empty if there are none.
  List<String> values(Map<String, ?> claims) {
    return values(claims, text).toList();
  }

  private static Stream<String> values(Map<?, ?> object, String path) {
    Object value = object.get(path);
    if (value != null) {
      return texts(value);
    }
    int dot = path.indexOf('.');
    return dot < 0
        ? Stream.empty()
        : objects(object.get(path.substring(0, dot))).flatMap(inner -> values(inner, path.substring(dot + 1)));
  }

  private static Stream<Map<?, ?>> objects(@Nullable Object value) {
    return switch (value) {
      case null -> Stream.empty();
      case Map<?, ?> object -> Stream.of(object);
      case Collection<?> list -> list.stream().flatMap(ClaimPath::objects);
      default -> Stream.empty();
    };
  }

  private static Stream<String> texts(Object value) {
    return switch (value) {
      case String one -> Stream.of(one);
      case Collection<?> list -> list.stream().flatMap(each -> each == null ? Stream.empty() : texts(each));
      default -> Stream.empty();
    };
  }

  @Override
  public String toString() {
    return text;
  }
}
