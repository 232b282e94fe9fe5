package dev.uplift.api.settings;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Describes a setting, for `uplift-server --help` and for `docs/operating.md`.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
@interface SettingDescription {
  /// The description, in one line.
  String value();

  /// The behaviour without it, if there is no default value.
  String otherwise() default "";
}
