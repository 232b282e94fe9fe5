package dev.uplift.api.security;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.uplift.services.scheduling.PeriodicTasks;
import dev.uplift.store.token.ApiTokenRepository;
import dev.uplift.store.token.ApiTokenRow;
import io.micronaut.security.authentication.Authentication;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Tokens that the server creates for scripts. In the tables there is only the hash of each; in memory all of them, as
/// a [RefreshedCache]. [RevokedTokens] ends them like others.
///
/// A script acts for the person who created its token, and has the name of that person: what one of them has done, the
/// other cannot approve.
@Singleton
public final class ApiTokens {
  /// By which people and scanners of secrets know one.
  static final String PREFIX = "uplift_";

  private static final int SECRET_BYTES = 32;
  private static final int ID_BYTES = 8;
  private static final Duration USE_INTERVAL = Duration.ofMinutes(1);
  private static final SecureRandom RANDOM = new SecureRandom();

  private final ApiTokenRepository tokens;
  private final TokenRules rules;
  private final TokenAuthenticator authenticator;
  private final InstantSource clock;
  private final RefreshedCache<Known> cache;
  private final Map<TokenKey, Instant> uses = new ConcurrentHashMap<>();
  private final PeriodicTasks tasks = new PeriodicTasks();

  ApiTokens(ApiTokenRepository tokens, TokenRules rules, TokenAuthenticator authenticator, InstantSource clock) {
    this.tokens = tokens;
    this.rules = rules;
    this.authenticator = authenticator;
    this.clock = clock;
    this.cache =
        new RefreshedCache<>(
            "api-tokens",
            read(tokens),
            known -> known.fingerprint().equals(tokens.fingerprint()) ? known : read(tokens));
    tasks.schedule(USE_INTERVAL, "api-token-uses", this::recordUses);
  }

  private record TokenKey(String tenant, String id) {}

  private record Known(String fingerprint, Map<String, ApiTokenRow> byHash) {}

  /// The fingerprint first: a row that is added in between is read once more.
  private static Known read(ApiTokenRepository tokens) {
    String fingerprint = tokens.fingerprint();
    Map<String, ApiTokenRow> byHash = new HashMap<>();
    tokens.listAll().forEach(row -> byHash.put(row.hash(), row));
    return new Known(fingerprint, byHash);
  }

  /// Afterwards every token is known that was created before.
  public void refresh() {
    cache.refresh();
  }

  /// A token, which is shown once, and what is stored of it.
  public record NewToken(String id, String token, String hash) {
    /// Hides the token.
    @Override
    public String toString() {
      return "token " + id;
    }
  }

  /// Returns a new token, which is not stored.
  public static NewToken generate() {
    byte[] random = new byte[ID_BYTES + SECRET_BYTES];
    RANDOM.nextBytes(random);
    String id = HexFormat.of().formatHex(random, 0, ID_BYTES);
    byte[] secret = new byte[SECRET_BYTES];
    System.arraycopy(random, ID_BYTES, secret, 0, SECRET_BYTES);
    String token = PREFIX + id + "_" + Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
    return new NewToken(id, token, hash(token));
  }

  /// The secret is random and long, so a fast hash is enough.
  private static String hash(String token) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(US_ASCII)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  Authentication authenticate(String token) throws InvalidToken {
    ApiTokenRow row = cache.get().byHash().get(hash(token));
    if (row == null) {
      throw new InvalidToken("the token is not known");
    }
    BearerToken bearer = bearerToken(row);
    if (!clock.instant().isBefore(bearer.expiresAt())) {
      throw new InvalidToken("the token expired at " + bearer.expiresAt());
    }
    Authentication authentication = authenticator.authenticateScript(bearer, List.of(row.role()));
    uses.put(new TokenKey(row.tenant(), row.id()), clock.instant());
    return authentication;
  }

  public boolean isRevoked(ApiTokenRow row) {
    return authenticator.isRevoked(bearerToken(row));
  }

  /// Expires with the longest lifetime of today: revocations that are older are forgotten.
  private BearerToken bearerToken(ApiTokenRow row) {
    Instant latest = row.createdAt().plus(rules.maxLifetime());
    return new BearerToken(
        row.id(),
        row.createdBy(),
        row.tenant(),
        row.createdAt(),
        row.expiresAt().isBefore(latest) ? row.expiresAt() : latest);
  }

  /// Stores when tokens were last used on this server.
  public void recordUses() {
    for (Map.Entry<TokenKey, Instant> use : Map.copyOf(uses).entrySet()) {
      tokens.recordUse(use.getKey().tenant(), use.getKey().id(), use.getValue());
      uses.remove(use.getKey(), use.getValue());
    }
  }

  @PreDestroy
  void close() {
    tasks.close();
    cache.close();
  }
}
