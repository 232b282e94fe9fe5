package dev.uplift.api.security;

import io.micronaut.security.authentication.Authentication;
import java.time.Instant;

/// The caller of a request.
///
/// @param name the subject of the token
/// @param tenant of the token; [#ALL_TENANTS] for all
/// @param tokenExpiresAt when the token expires
public record Caller(String name, String tenant, Instant tokenExpiresAt) {
  public static final String ALL_TENANTS = "*";
  static final String TENANT = "tenant";
  static final String TOKEN_EXPIRES_AT = "until";

  public static Caller of(Authentication authentication) {
    return new Caller(
        authentication.getName(),
        (String) authentication.getAttributes().getOrDefault(TENANT, ""),
        (Instant) authentication.getAttributes().getOrDefault(TOKEN_EXPIRES_AT, Instant.MAX));
  }

  public boolean mayAccess(String entered) {
    return hasAllTenants() || tenant.equals(entered);
  }

  public boolean hasAllTenants() {
    return tenant.equals(ALL_TENANTS);
  }
}
