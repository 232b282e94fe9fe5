package dev.uplift.api.security;

import static java.util.stream.Collectors.groupingBy;

import dev.uplift.store.token.TokenRevocationRepository;
import dev.uplift.store.token.TokenRevocationRow;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;

/// The revoked bearer tokens, as a [RefreshedCache].
@Singleton
public final class RevokedTokens {
  private final RefreshedCache<Revocations> cache;

  RevokedTokens(TokenRevocationRepository revocations) {
    this.cache =
        new RefreshedCache<>(
            "revoked-tokens",
            read(revocations),
            known -> known.fingerprint().equals(revocations.fingerprint()) ? known : read(revocations));
  }

  private record Revocations(
      String fingerprint,
      Map<String, List<TokenRevocationRow>> byTokenId,
      Map<String, List<TokenRevocationRow>> bySubject) {}

  /// Afterwards every token counts that was revoked before.
  public void refresh() {
    cache.refresh();
  }

  /// The fingerprint first: a row that is added in between is read once more.
  private static Revocations read(TokenRevocationRepository revocations) {
    String fingerprint = revocations.fingerprint();
    List<TokenRevocationRow> all = revocations.listAll();
    return new Revocations(
        fingerprint,
        all.stream().filter(row -> !row.tokenId().isEmpty()).collect(groupingBy(TokenRevocationRow::tokenId)),
        all.stream().filter(row -> row.tokenId().isEmpty()).collect(groupingBy(TokenRevocationRow::subject)));
  }

  boolean contains(BearerToken token) {
    Revocations all = cache.get();
    return all.byTokenId().getOrDefault(token.id(), List.of()).stream().anyMatch(row -> isAbout(row, token))
        || all.bySubject().getOrDefault(token.subject(), List.of()).stream()
            .anyMatch(row -> isAbout(row, token) && !token.issuedAt().isAfter(row.issuedBefore()));
  }

  private static boolean isAbout(TokenRevocationRow row, BearerToken token) {
    return row.tenant().equals(Caller.ALL_TENANTS) || row.tenant().equals(token.tenant());
  }

  @PreDestroy
  void close() {
    cache.close();
  }
}
