package dev.uplift.openapi;

import io.swagger.v3.oas.models.media.Schema;
import org.jspecify.annotations.Nullable;

/// DocComments of doc comments. They are Markdown, which micronaut-openapi takes for HTML: it escapes what has a
/// meaning in Markdown.
final class DocComments {
  private DocComments() {}

  static String unescaped(@Nullable String text) {
    return text == null ? "" : text.replaceAll("\\\\([^A-Za-z0-9\\s])", "$1").strip();
  }

  /// Returns the text of a parameter or a field as a sentence.
  static String sentence(@Nullable String text) {
    String plain = Route.capitalized(unescaped(text));
    return plain.isEmpty() || plain.matches("(?s).*[.:?]$") ? plain : plain + ".";
  }

  static void describe(Schema<?> schema) {
    if (schema.getDescription() != null) {
      schema.setDescription(sentence(schema.getDescription()));
    }
  }
}
