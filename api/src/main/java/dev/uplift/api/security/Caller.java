package dev.uplift.api.security;

import io.micronaut.security.authentication.Authentication;
import java.time.Instant;

/// Who calls.
///
/// @param name the subject of the token
/// @param tenant that the token is for; [#EVERY_TENANT] for all
/// @param until when the token ends
public record Caller(String name, String tenant, Instant until) {
  public static final String EVERY_TENANT = "*";
  static final String TENANT = "tenant";
  static final String UNTIL = "until";

  public static Caller of(Authentication authentication) {
    return new Caller(
        authentication.getName(),
        (String) authentication.getAttributes().getOrDefault(TENANT, ""),
        (Instant) authentication.getAttributes().getOrDefault(UNTIL, Instant.MAX));
  }

  public boolean mayEnter(String entered) {
    return isForAll() || tenant.equals(entered);
  }

  public boolean isForAll() {
    return tenant.equals(EVERY_TENANT);
  }
}
