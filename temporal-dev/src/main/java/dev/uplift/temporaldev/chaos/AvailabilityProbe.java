package dev.uplift.temporaldev.chaos;

import dev.uplift.cli.rest.Sleeper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/// Sends one request after the other, and notes when one succeeded.
final class AvailabilityProbe implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(3);
  private static final Duration INTERVAL = Duration.ofMillis(200);

  private final HttpClient http = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
  private final String token;
  private final IntFunction<HttpRequest.Builder> request;
  private final List<Integer> succeeded = new ArrayList<>();
  private final List<Gap> gaps = new ArrayList<>();
  private final Thread thread;
  private int sent;
  private Instant lastSuccess = Instant.now();
  private volatile boolean closed;

  /// A time in which no request succeeded.
  record Gap(Instant from, Instant until) {
    Duration duration() {
      return Duration.between(from, until);
    }
  }

  /// @param request by its number, from 0 on
  AvailabilityProbe(String name, String token, IntFunction<HttpRequest.Builder> request) {
    this.token = token;
    this.request = request;
    this.thread = Thread.ofPlatform().daemon().name(name).start(this::run);
  }

  static HttpRequest.Builder to(String url) {
    return HttpRequest.newBuilder(URI.create(url));
  }

  private void run() {
    while (!closed) {
      if (succeeds(request.apply(sent))) {
        Instant now = Instant.now();
        gaps.add(new Gap(lastSuccess, now));
        lastSuccess = now;
        succeeded.add(sent);
      }
      sent++;
      Sleeper.sleep(INTERVAL);
    }
    gaps.add(new Gap(lastSuccess, Instant.now()));
  }

  private boolean succeeds(HttpRequest.Builder prepared) {
    HttpRequest complete = prepared.timeout(TIMEOUT).header("Authorization", "Bearer " + token).build();
    try {
      HttpResponse<Void> response = http.send(complete, BodyHandlers.discarding());
      return response.statusCode() / 100 == 2;
    } catch (IOException _) {
      return false;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /// Ends it. What it has noted is complete afterwards.
  @Override
  public void close() {
    closed = true;
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    http.close();
  }

  /// Returns the numbers of the requests that succeeded.
  List<Integer> succeeded() {
    return succeeded;
  }

  int sent() {
    return sent;
  }

  /// Returns the times between one success and the next.
  List<Gap> gaps() {
    return gaps;
  }
}
