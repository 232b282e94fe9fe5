package dev.uplift.agent.download;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/// A real HTTP server with one file, that breaks, truncates, ignores what it is asked and lies, as told for the next
/// requests; afterwards it is honest.
public final class FaultyHttpServer implements AutoCloseable {
  /// Answers one request.
  public interface FaultyResponse {
    void respond(FaultyHttpServer server, HttpExchange exchange) throws IOException;
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Deque<FaultyResponse> next = new ArrayDeque<>();
  private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch closing = new CountDownLatch(1);
  private volatile byte[] content;
  private volatile String tag = "\"one\"";

  public FaultyHttpServer(byte[] content) {
    this.content = content.clone();
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::handle);
    server.setExecutor(threads);
    server.start();
  }

  public String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/artifacts/file?mac=secret";
  }

  /// Prepares the response to the next request without one.
  public FaultyHttpServer onNextRequest(FaultyResponse faultyResponse) {
    synchronized (next) {
      next.add(faultyResponse);
    }
    return this;
  }

  public void serve(byte[] other, String otherTag) {
    content = other.clone();
    tag = otherTag;
  }

  /// The range that each request asked for; `-` where it asked for all.
  public List<String> requests() {
    return List.copyOf(requests);
  }

  private void handle(HttpExchange exchange) throws IOException {
    String range = exchange.getRequestHeaders().getFirst("Range");
    requests.add(range == null ? "-" : range);
    FaultyResponse faultyResponse;
    synchronized (next) {
      faultyResponse = next.isEmpty() ? FaultyHttpServer::respondCorrectly : next.poll();
    }
    try (exchange) {
      faultyResponse.respond(this, exchange);
    }
  }

  private void respondCorrectly(HttpExchange exchange) throws IOException {
    String range = exchange.getRequestHeaders().getFirst("Range");
    String ifRange = exchange.getRequestHeaders().getFirst("If-Range");
    exchange.getResponseHeaders().set("ETag", tag);
    if (range == null || (ifRange != null && !ifRange.equals(tag))) {
      exchange.sendResponseHeaders(200, content.length == 0 ? -1 : content.length);
      exchange.getResponseBody().write(content);
      return;
    }
    int start = Integer.parseInt(range.substring("bytes=".length(), range.length() - 1));
    if (start >= content.length) {
      exchange.getResponseHeaders().set("Content-Range", "bytes */" + content.length);
      exchange.sendResponseHeaders(416, -1);
      return;
    }
    partFrom(start, start, exchange);
  }

  private void partFrom(int said, int start, HttpExchange exchange) throws IOException {
    exchange
        .getResponseHeaders()
        .set("Content-Range", "bytes " + said + "-" + (content.length - 1) + "/" + content.length);
    exchange.sendResponseHeaders(206, content.length - start);
    exchange.getResponseBody().write(content, start, content.length - start);
  }

  /// The connection is gone after so many bytes of what was asked for.
  public static FaultyResponse breakAfter(int bytes) {
    return (server, exchange) -> {
      String range = exchange.getRequestHeaders().getFirst("Range");
      int start = range == null ? 0 : Integer.parseInt(range.substring("bytes=".length(), range.length() - 1));
      byte[] content = server.content;
      exchange.getResponseHeaders().set("ETag", server.tag);
      if (range != null) {
        exchange
            .getResponseHeaders()
            .set("Content-Range", "bytes " + start + "-" + (content.length - 1) + "/" + content.length);
      }
      exchange.sendResponseHeaders(range == null ? 200 : 206, content.length - start);
      OutputStream body = exchange.getResponseBody();
      body.write(content, start, bytes);
      body.flush();
    };
  }

  /// Sends all of it, whatever part was asked for.
  public static FaultyResponse ignoreTheRange() {
    return (server, exchange) -> {
      exchange.sendResponseHeaders(200, server.content.length);
      exchange.getResponseBody().write(server.content);
    };
  }

  /// Answers with a part that starts elsewhere, and says so.
  public static FaultyResponse startElsewhere(int start) {
    return (server, exchange) -> server.partFrom(start, start, exchange);
  }

  public static FaultyResponse status(int status) {
    return (_, exchange) -> exchange.sendResponseHeaders(status, -1);
  }

  /// Of a length that is not said before.
  public static FaultyResponse endless() {
    return (server, exchange) -> {
      exchange.sendResponseHeaders(200, 0);
      byte[] bytes = new byte[64 * 1024];
      while (server.closing.getCount() > 0) {
        exchange.getResponseBody().write(bytes);
      }
    };
  }

  /// So many bytes, then nothing more, with the connection open.
  public static FaultyResponse fallSilentAfter(int bytes) {
    return (server, exchange) -> {
      exchange.sendResponseHeaders(200, server.content.length);
      exchange.getResponseBody().write(server.content, 0, bytes);
      exchange.getResponseBody().flush();
      server.awaitClose();
    };
  }

  /// A byte now and then.
  public static FaultyResponse trickle(long everyMs) {
    return (server, exchange) -> {
      exchange.sendResponseHeaders(200, server.content.length);
      for (byte each : server.content) {
        exchange.getResponseBody().write(new byte[] {each});
        exchange.getResponseBody().flush();
        if (server.isClosingWithin(everyMs)) {
          return;
        }
      }
    };
  }

  private void awaitClose() {
    while (!isClosingWithin(1000)) {
      // Still open.
    }
  }

  private boolean isClosingWithin(long millis) {
    try {
      return closing.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException _) {
      return true;
    }
  }

  /// So many of the first bytes of what it serves.
  public byte[] firstBytes(int bytes) {
    return Arrays.copyOf(content, bytes);
  }

  @Override
  public void close() {
    closing.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
