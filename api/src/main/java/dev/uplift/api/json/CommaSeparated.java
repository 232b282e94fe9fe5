package dev.uplift.api.json;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// A list of texts that may also be written as one text with commas: `"mon, tue"` instead of `["mon", "tue"]`.
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.METHOD, ElementType.FIELD, ElementType.PARAMETER})
public @interface CommaSeparated {}
