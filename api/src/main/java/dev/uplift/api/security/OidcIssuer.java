package dev.uplift.api.security;

import com.nimbusds.jwt.JWTClaimsSet;
import dev.uplift.fleet.CallerName;
import java.net.URI;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// An OpenID Connect issuer whose access tokens are accepted, and what its claims mean here.
///
/// @param name its short name here, with which the names of its callers begin: [CallerName]
/// @param issuer its identifier: the claim `iss`, to the letter
/// @param audience that the claim `aud` has to name
/// @param clockSkew how much its clock may differ
/// @param nameClaim the account of the caller, for audits, approvals and revocations
/// @param tenantClaim the tenant; empty if there is a `fixedTenant`
/// @param tenants from values of the tenant claim to tenants, the only way to [Caller#ALL_TENANTS]; empty: the value is
///   the tenant
/// @param rolesClaim the roles
/// @param roles from values of the roles claim to roles; empty: the values are roles
public record OidcIssuer(
    String name,
    URI issuer,
    String audience,
    Duration clockSkew,
    ClaimPath nameClaim,
    Optional<String> fixedTenant,
    Optional<ClaimPath> tenantClaim,
    Map<String, String> tenants,
    ClaimPath rolesClaim,
    Map<String, String> roles) {
  private static final int MAX_ACCOUNT_LENGTH = 200;

  /// Returns the caller's name.
  String callerName(JWTClaimsSet claims) throws InvalidToken {
    String account = requireOne(nameClaim, nameClaim.values(claims.getClaims()));
    if (account.length() > MAX_ACCOUNT_LENGTH || account.chars().anyMatch(Character::isISOControl)) {
      throw new InvalidToken(
          "expected at most %d characters, none of them a control character, at the token's %s"
              .formatted(MAX_ACCOUNT_LENGTH, nameClaim));
    }
    return CallerName.ofIssuer(name, account);
  }

  /// Returns the tenant that the token is for. Without a map of tenants no claim can name all tenants.
  String tenant(JWTClaimsSet claims) throws InvalidToken {
    if (fixedTenant.isPresent()) {
      return fixedTenant.get();
    }
    ClaimPath path = tenantClaim.orElseThrow();
    Collection<String> values = path.values(claims.getClaims());
    if (tenants.isEmpty()) {
      String value = requireOne(path, values);
      if (value.equals(Caller.ALL_TENANTS)) {
        throw new InvalidToken("the token's %s is *, which no entry of tenants permits".formatted(path));
      }
      return value;
    }
    return requireOne(path, values.stream().filter(tenants::containsKey).map(tenants::get).distinct().toList());
  }

  /// Returns the names of the caller's roles. Values without a meaning here are left out.
  List<String> roles(JWTClaimsSet claims) {
    return rolesClaim.values(claims.getClaims()).stream()
        .map(value -> roles.isEmpty() ? value : roles.getOrDefault(value, ""))
        .toList();
  }

  private static String requireOne(ClaimPath path, Collection<String> values) throws InvalidToken {
    if (values.size() != 1 || values.iterator().next().isBlank()) {
      throw new InvalidToken(
          "expected one value with a meaning here at the token's %s, found %d".formatted(path, values.size()));
    }
    return values.iterator().next();
  }
}
