package dev.uplift.api.request;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The query parameters that a route knows. All others are refused, for a filter that is misspelt
/// must not select everything.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface QueryParameters {
  String[] value();
}
