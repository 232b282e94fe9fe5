package dev.uplift.api.health;

import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;

/// Confines the page of the documentation, where people type tokens: no scripts but its own, no other site's frame.
@ServerFilter({"/swagger-ui", "/swagger-ui/**", "/swagger/**"})
final class DocumentationHeadersFilter {
  /// The page sets styles of its elements, and has images in its style sheet.
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;"
          + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  @ResponseFilter
  void confine(MutableHttpResponse<?> response) {
    response
        .header("Content-Security-Policy", POLICY)
        .header("X-Frame-Options", "DENY")
        .header("X-Content-Type-Options", "nosniff")
        .header("Referrer-Policy", "no-referrer");
  }
}
