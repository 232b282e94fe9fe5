package dev.uplift.temporaldev;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/// Runs `uplift device list` against a server of its own, so that the JVM writes into its cache what a command loads
/// until it has printed an answer. The argument is a file with a token.
public final class CommandTraining {
  private static final String ANSWER =
      """
      {"items": [{"name": "site-7", "hosts": ["left"], "zone": "Europe/Rome", "labels": {"ring": "canary"},
        "hold": {"reason": "inventory"}}], "next": null}
      """;

  private CommandTraining() {}

  public static void main(String[] arguments) throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] body = ANSWER.getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "application/json");
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    String url = "http://127.0.0.1:" + server.getAddress().getPort();
    System.exit(DevCommand.execute("device", "list", "--url", url, "--tenant", "acme", "--token-file", arguments[0]));
  }
}
