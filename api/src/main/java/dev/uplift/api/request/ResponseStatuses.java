package dev.uplift.api.request;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The statuses of a route beside those that all have, for the OpenAPI document: 200, and 400, 401 and 503; 403 of
/// changes, 404 where something is named in the path, 413 and 415 where there is a body. Without 200 among its
/// successes, a route does not respond with it. 304, and 412, mean that it reads `If-None-Match`, or `If-Match`.
@Retention(RetentionPolicy.SOURCE)
@Target(ElementType.METHOD)
public @interface ResponseStatuses {
  int[] value();
}
