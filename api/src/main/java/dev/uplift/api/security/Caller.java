package dev.uplift.api.security;

import io.micronaut.security.authentication.Authentication;

/// Who calls.
///
/// @param name the subject of the token
/// @param tenant that the token is for; [#EVERY_TENANT] for all
public record Caller(String name, String tenant) {
  public static final String EVERY_TENANT = "*";
  static final String TENANT = "tenant";

  public static Caller of(Authentication authentication) {
    return new Caller(
        authentication.getName(), (String) authentication.getAttributes().getOrDefault(TENANT, ""));
  }

  public boolean mayEnter(String entered) {
    return isForAll() || tenant.equals(entered);
  }

  public boolean isForAll() {
    return tenant.equals(EVERY_TENANT);
  }
}
