package dev.uplift.api.settings;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Describes a setting, for `uplift-server --help` and for `docs/operating.md`.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
@interface Setting {
  /// What it is, in one line.
  String value();

  /// What applies where it is not set and no fixed value does.
  String otherwise() default "";
}
