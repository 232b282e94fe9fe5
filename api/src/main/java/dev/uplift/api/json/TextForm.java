package dev.uplift.api.json;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The characters that a text may have. Without it: one line, no control characters.
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.METHOD, ElementType.FIELD, ElementType.PARAMETER})
public @interface TextForm {
  Form value();

  /// The kinds of texts.
  enum Form {
    /// Several lines.
    MULTILINE,
    /// Signed: every character counts.
    EXACT
  }
}
