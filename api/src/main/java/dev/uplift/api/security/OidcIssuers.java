package dev.uplift.api.security;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/// The issuers whose tokens are accepted.
public record OidcIssuers(List<OidcIssuer> list) {
  public static final OidcIssuers NONE = new OidcIssuers(List.of());

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private static final Duration MAX_CLOCK_SKEW = Duration.ofMinutes(5);
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,31}");
  private static final Pattern TENANT = Pattern.compile("[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?");
  private static final Pattern LOOPBACK = Pattern.compile("localhost|127(?:\\.[0-9]{1,3}){3}|\\[::1]");

  /// As the file has it.
  private record Entry(
      @Nullable String name,
      @Nullable String issuer,
      @Nullable String audience,
      @Nullable Duration clockSkew,
      @Nullable String nameClaim,
      @Nullable String tenant,
      @Nullable String tenantClaim,
      @Nullable Map<String, String> tenants,
      @Nullable String rolesClaim,
      @Nullable Map<String, String> roles) {}

  public OidcIssuers {
    list = List.copyOf(list);
  }

  /// Reads a JSON list of issuers, which `docs/operating.md` explains.
  ///
  /// @throws IllegalArgumentException with the first thing that is wrong
  public static OidcIssuers read(Path file) throws IOException {
    Entry[] entries;
    try {
      entries = JSON.readValue(Files.readString(file), Entry[].class);
    } catch (JacksonException e) {
      throw new IllegalArgumentException("expected a JSON list of issuers: " + e.getOriginalMessage(), e);
    }
    Set<Object> known = new HashSet<>();
    List<OidcIssuer> issuers = List.of(entries).stream().map(OidcIssuers::issuer).toList();
    for (OidcIssuer each : issuers) {
      require(known.add(each.issuer()), each.issuer() + ": expected each issuer once");
      require(known.add(each.name()), each.issuer() + ": expected each name once, found " + each.name());
    }
    require(!issuers.isEmpty(), "expected an issuer");
    return new OidcIssuers(issuers);
  }

  private static OidcIssuer issuer(Entry entry) {
    URI issuer = requireSecure("issuer", Objects.requireNonNullElse(entry.issuer(), ""));
    try {
      return issuer(issuer, entry);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(issuer + ": " + e.getMessage(), e);
    }
  }

  private static OidcIssuer issuer(URI issuer, Entry entry) {
    String name = Objects.requireNonNullElse(entry.name(), "");
    require(
        NAME.matcher(name).matches(),
        "expected name, with which the names of its callers begin: a letter, then small letters, digits and -");
    String audience = Objects.requireNonNullElse(entry.audience(), "");
    // Without it a token that the issuer made for any other program would be accepted.
    require(!audience.isBlank(), "expected audience, which the claim aud of its tokens has to name");
    Optional<String> tenant = Optional.ofNullable(entry.tenant());
    require(tenant.isPresent() != (entry.tenantClaim() != null), "expected either tenant or tenant_claim");
    Map<String, String> tenants = Map.copyOf(Objects.requireNonNullElse(entry.tenants(), Map.of()));
    require(tenants.isEmpty() || tenant.isEmpty(), "expected tenants only with tenant_claim");
    tenant.ifPresent(OidcIssuers::requireTenant);
    tenants.values().forEach(OidcIssuers::requireTenant);
    Map<String, String> roles = Map.copyOf(Objects.requireNonNullElse(entry.roles(), Map.of()));
    roles
        .values()
        .forEach(role ->
            require(
                Roles.ALL.contains(role),
                "roles: expected one of %s, found %s".formatted(String.join(", ", Roles.ALL), role)));
    Duration clockSkew = Objects.requireNonNullElse(entry.clockSkew(), JwtTokenValidator.LEEWAY);
    require(
        !clockSkew.isNegative() && clockSkew.compareTo(MAX_CLOCK_SKEW) <= 0,
        "clock_skew: expected PT0S to %s, found %s".formatted(MAX_CLOCK_SKEW, clockSkew));
    return new OidcIssuer(
        name,
        issuer,
        audience,
        clockSkew,
        new ClaimPath(Objects.requireNonNullElse(entry.nameClaim(), "sub")),
        tenant,
        Optional.ofNullable(entry.tenantClaim()).map(ClaimPath::new),
        tenants,
        new ClaimPath(Objects.requireNonNullElse(entry.rolesClaim(), "roles")),
        roles);
  }

  private static void requireTenant(String name) {
    require(
        name.equals(Caller.ALL_TENANTS) || TENANT.matcher(name).matches(),
        "expected the name of a tenant, or * for all, found " + name);
  }

  /// Returns an address that no one on the way can answer for: with TLS, or on this machine.
  ///
  /// @throws IllegalArgumentException for any other
  static URI requireSecure(String what, String text) {
    try {
      URI address = new URI(text);
      String host = Objects.requireNonNullElse(address.getHost(), "");
      boolean local = "http".equals(address.getScheme()) && LOOPBACK.matcher(host).matches();
      if (local || ("https".equals(address.getScheme()) && !host.isEmpty())) {
        return address;
      }
    } catch (URISyntaxException _) {
      // Rejected below.
    }
    throw new IllegalArgumentException(
        "%s: expected an https address, or http on this machine, found \"%s\"".formatted(what, text));
  }

  private static void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new IllegalArgumentException(otherwise);
    }
  }
}
