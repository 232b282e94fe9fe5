package dev.uplift.api.security;

import dev.uplift.services.scheduling.PeriodicTasks;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.text.ParseException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The public keys of an issuer: its JWKS, found by OpenID Connect discovery, as read at most five minutes ago; as long
/// as the issuer is unavailable, as it was before. In memory, because each request asks, on a thread that must not
/// wait.
final class IssuerKeys implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(IssuerKeys.class);

  private static final Duration REFRESH_INTERVAL = Duration.ofMinutes(5);

  /// Between two reads that tokens with unknown keys cause: a sender of made-up key ids must not load the issuer.
  private static final Duration MIN_INTERVAL = Duration.ofSeconds(5);

  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final int MAX_BYTES = 1 << 20;

  private final URI issuer;
  private final HttpClient http;
  private final LongSupplier nanoTime;
  private final PeriodicTasks tasks = new PeriodicTasks();

  private volatile @Nullable IssuerKeySet known;
  private @Nullable CompletableFuture<IssuerKeySet> running;
  private @Nullable CompletableFuture<IssuerKeySet> last;
  private long endedAt;
  private boolean unavailable;

  /// Begins to read, and returns.
  IssuerKeys(URI issuer, HttpClient http, LongSupplier nanoTime) {
    this.issuer = issuer;
    this.http = http;
    this.nanoTime = nanoTime;
    beginRefresh();
    tasks.schedule(REFRESH_INTERVAL, "issuer-keys", this::beginRefresh);
  }

  /// Failures are logged, and known to [#recent].
  private void beginRefresh() {
    var _ = refresh();
  }

  /// Returns the keys of the last successful read; empty before it.
  Optional<IssuerKeySet> known() {
    return Optional.ofNullable(known);
  }

  /// Returns the keys of the read in progress, or of a read from now; or the outcome of the last one, if it ended less
  /// than [#MIN_INTERVAL] ago. Fails with [IssuerUnavailable]. Never blocks.
  synchronized CompletableFuture<IssuerKeySet> recent() {
    boolean justEnded = running == null && last != null && nanoTime.getAsLong() - endedAt < MIN_INTERVAL.toNanos();
    return justEnded && last != null ? last : refresh();
  }

  private synchronized CompletableFuture<IssuerKeySet> refresh() {
    if (running == null) {
      var read = new CompletableFuture<IssuerKeySet>();
      running = read;
      Thread.ofVirtual().name("issuer-keys-read").start(() -> read(read));
    }
    return running;
  }

  private void read(CompletableFuture<IssuerKeySet> result) {
    try {
      IssuerKeySet keys = fetch();
      logUnusable(keys);
      known = keys;
      end(result, "");
      result.complete(keys);
    } catch (IssuerUnavailable e) {
      end(result, String.valueOf(e.getMessage()));
      result.completeExceptionally(e);
    }
  }

  /// Logs once, until others or none are.
  private void logUnusable(IssuerKeySet keys) {
    IssuerKeySet before = known;
    if (!keys.unusable().isEmpty() && (before == null || !before.unusable().equals(keys.unusable()))) {
      LOG.warn(
          "the issuer {} publishes keys that cannot be used, number {} in its list; tokens that are signed with them are"
              + " refused, others are not affected",
          issuer,
          keys.unusable());
    }
  }

  private synchronized void end(CompletableFuture<IssuerKeySet> read, String failure) {
    running = null;
    last = read;
    endedAt = nanoTime.getAsLong();
    if (!failure.isEmpty() && !unavailable) {
      LOG.warn("{}; tokens that are signed with keys that are known are accepted meanwhile", failure);
    } else if (failure.isEmpty() && unavailable) {
      LOG.info("the issuer {} is available again", issuer);
    }
    unavailable = !failure.isEmpty();
  }

  private IssuerKeySet fetch() throws IssuerUnavailable {
    try {
      JsonNode configuration = JsonMapper.shared().readTree(get(configurationAddress()));
      String name = configuration.path("issuer").asString("");
      if (!name.equals(issuer.toString())) {
        throw new IssuerUnavailable("the configuration of the issuer %s names another one: %s".formatted(issuer, name));
      }
      return IssuerKeySet.parse(
          get(OidcIssuers.requireSecure("jwks_uri", configuration.path("jwks_uri").asString(""))));
    } catch (IOException | ParseException | RuntimeException e) {
      // All failures: the requests that share this read would otherwise wait for ever.
      throw new IssuerUnavailable("the keys of the issuer %s cannot be read (%s)".formatted(issuer, e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IssuerUnavailable("reading the keys of the issuer %s was interrupted".formatted(issuer), e);
    }
  }

  private URI configurationAddress() {
    return URI.create(issuer.toString().replaceFirst("/$", "") + "/.well-known/openid-configuration");
  }

  private String get(URI address) throws IOException, InterruptedException {
    HttpResponse<String> response =
        http.send(
            HttpRequest.newBuilder(address).timeout(TIMEOUT).header("Accept", "application/json").build(),
            BodyHandlers.limiting(BodyHandlers.ofString(), MAX_BYTES));
    if (response.statusCode() != 200) {
      throw new IOException("%s answers %d".formatted(address, response.statusCode()));
    }
    return response.body();
  }

  @Override
  public void close() {
    tasks.close();
  }
}
