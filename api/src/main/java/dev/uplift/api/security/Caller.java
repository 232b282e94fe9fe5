package dev.uplift.api.security;

import io.micronaut.security.authentication.Authentication;
import java.util.function.BooleanSupplier;

/// The caller of a request.
///
/// @param name the subject of the token
/// @param tenant of the token; [#ALL_TENANTS] for all
/// @param script the id of its token, if the caller is a script that acts for that name; else empty
/// @param tokenIsValid whether the token is valid still: neither expired nor revoked, and signed with a secret in use
public record Caller(String name, String tenant, String script, BooleanSupplier tokenIsValid) {
  public static final String ALL_TENANTS = "*";
  static final String TENANT = "tenant";
  static final String SCRIPT = "script";
  static final String TOKEN_IS_VALID = "valid";

  public static Caller of(Authentication authentication) {
    return new Caller(
        authentication.getName(),
        (String) authentication.getAttributes().getOrDefault(TENANT, ""),
        (String) authentication.getAttributes().getOrDefault(SCRIPT, ""),
        (BooleanSupplier) authentication.getAttributes().getOrDefault(TOKEN_IS_VALID, (BooleanSupplier) () -> true));
  }

  public boolean isScript() {
    return !script.isEmpty();
  }

  public boolean mayAccess(String entered) {
    return hasAllTenants() || tenant.equals(entered);
  }

  public boolean hasAllTenants() {
    return tenant.equals(ALL_TENANTS);
  }
}
