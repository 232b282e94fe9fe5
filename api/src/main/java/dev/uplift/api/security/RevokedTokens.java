package dev.uplift.api.security;

import static java.util.stream.Collectors.groupingBy;

import dev.uplift.services.scheduling.PeriodicTasks;
import dev.uplift.store.token.TokenRevocationRepository;
import dev.uplift.store.token.TokenRevocationRow;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// The revoked bearer tokens, as they were in the database at most two seconds ago; as long as the database is
/// unavailable, as they were before.
///
/// In memory, because each request asks, on a thread that must not wait.
@Singleton
public final class RevokedTokens {
  private static final Duration REFRESH_INTERVAL = Duration.ofSeconds(2);

  private final TokenRevocationRepository revocations;
  private final PeriodicTasks tasks;
  private volatile Revocations known;

  RevokedTokens(TokenRevocationRepository revocations) {
    this.revocations = revocations;
    this.known = read(revocations);
    this.tasks = new PeriodicTasks().schedule(REFRESH_INTERVAL, "revoked-tokens", this::refresh);
  }

  private record Revocations(
      String fingerprint,
      Map<String, List<TokenRevocationRow>> byTokenId,
      Map<String, List<TokenRevocationRow>> bySubject) {}

  /// Reads what is new. Afterwards everything counts that was committed before.
  public synchronized void refresh() {
    if (!known.fingerprint().equals(revocations.fingerprint())) {
      known = read(revocations);
    }
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
    Revocations all = known;
    return all.byTokenId().getOrDefault(token.id(), List.of()).stream().anyMatch(row -> isAbout(row, token))
        || all.bySubject().getOrDefault(token.subject(), List.of()).stream()
            .anyMatch(row -> isAbout(row, token) && !token.issuedAt().isAfter(row.issuedBefore()));
  }

  private static boolean isAbout(TokenRevocationRow row, BearerToken token) {
    return row.tenant().equals(Caller.ALL_TENANTS) || row.tenant().equals(token.tenant());
  }

  @PreDestroy
  void close() {
    tasks.close();
  }
}
