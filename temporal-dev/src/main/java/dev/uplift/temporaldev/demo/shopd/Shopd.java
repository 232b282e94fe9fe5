package dev.uplift.temporaldev.demo.shopd;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/// Serves the price list of its folder. `/version` returns its version; `/health` is 200 only with a price list.
///
/// `serve FOLDER PORT FILE` runs it and creates the file once it listens. `ask PORT PATH EXPECTED` is a client for
/// health checks on hosts without `curl`: its exit code is 0 if the response is 200 and begins with the expected text.
public final class Shopd {
  private static final int TIMEOUT_MS = 5000;

  private Shopd() {}

  public static void main(String[] arguments) throws IOException {
    switch (arguments[0]) {
      case "serve" -> {
        serve(Path.of(arguments[1]), Integer.parseInt(arguments[2]));
        Files.writeString(Path.of(arguments[3]), "");
      }
      case "ask" -> System.exit(ask(Integer.parseInt(arguments[1]), arguments[2], arguments[3]));
      default -> throw new IllegalArgumentException("serve FOLDER PORT FILE | ask PORT PATH EXPECTED");
    }
  }

  private static void serve(Path folder, int port) throws IOException {
    // Read once: the version of the running process, whatever happens to the folder.
    String version = Files.readString(folder.resolve("VERSION")).strip();
    Path prices = folder.resolve("prices.csv");
    var here = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    HttpServer server = HttpServer.create(here, 0);
    server.createContext("/version", call -> answer(call, 200, version));
    server.createContext(
        "/health",
        call -> {
          boolean healthy = Files.exists(prices);
          answer(call, healthy ? 200 : 503, version + (healthy ? " is healthy" : " has no price list"));
        });
    server.createContext("/", call -> answer(call, 200, Files.readString(prices)));
    server.start();
  }

  private static void answer(HttpExchange call, int status, String text) throws IOException {
    byte[] bytes = (text + "\n").getBytes(UTF_8);
    try (call) {
      call.sendResponseHeaders(status, bytes.length);
      call.getResponseBody().write(bytes);
    }
  }

  /// Returns 0 for the expected response, 1 for another, 2 for none.
  private static int ask(int port, String path, String expected) {
    try {
      var call = (HttpURLConnection) URI.create("http://127.0.0.1:" + port + path).toURL().openConnection();
      call.setConnectTimeout(TIMEOUT_MS);
      call.setReadTimeout(TIMEOUT_MS);
      int status = call.getResponseCode();
      String body = text(status == 200 ? call.getInputStream() : call.getErrorStream());
      System.out.println(status + ": " + body);
      return status == 200 && body.startsWith(expected) ? 0 : 1;
    } catch (IOException e) {
      System.out.println("no response on port " + port + ": " + e.getMessage());
      return 2;
    }
  }

  private static String text(InputStream in) throws IOException {
    try (in) {
      return new String(in.readAllBytes(), UTF_8).strip();
    }
  }
}
