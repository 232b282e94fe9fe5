package dev.uplift.agent;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.uplift.protocol.enrolment.Admission;
import dev.uplift.protocol.enrolment.JoinRequest;
import dev.uplift.protocol.enrolment.JoinToken;
import dev.uplift.protocol.enrolment.RenewRequest;
import dev.uplift.protocol.nats.Nkey;
import dev.uplift.protocol.nats.Tickets;
import dev.uplift.temporaldev.NatsKey;
import dev.uplift.temporaldev.NatsKeys;
import dev.uplift.temporaldev.Stack;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Lets hosts in, as the server does, with the real keys of NATS, and remembers who asked. How long
/// its tickets are good, and whether it wants other keys, a test says.
final class Gatekeeper implements AutoCloseable {
  private final Stack stack;
  private final HttpServer server;
  private final Map<String, String> invited = new HashMap<>();
  private final List<String> renewals = new ArrayList<>();
  private Duration goodFor = Duration.ofDays(30);
  private boolean wantsNewKeys;
  private boolean isAway;

  Gatekeeper(Stack stack) throws IOException {
    this.stack = stack;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/v1/join", this::join);
    server.createContext("/v1/renew", this::renew);
    server.start();
  }

  /// For a host of this name.
  synchronized String token(String host) {
    JoinToken token = JoinToken.make(url(), Site.TENANT, host, "");
    invited.put(token.secret(), host);
    return token.text();
  }

  private String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  synchronized void goodFor(Duration time) {
    goodFor = time;
  }

  /// Until one has come.
  synchronized void wantsNewKeys() {
    wantsNewKeys = true;
  }

  /// Has no answer but 503.
  synchronized void isAway(boolean away) {
    isAway = away;
  }

  /// The keys that asked for their next ticket, one after the other.
  synchronized List<String> renewals() {
    return List.copyOf(renewals);
  }

  private synchronized void join(HttpExchange exchange) throws IOException {
    JoinRequest asked = JoinRequest.read(exchange.getRequestBody().readAllBytes());
    String host = invited.getOrDefault(asked.secret(), "");
    answer(exchange, asked.isGenuine() && !host.isEmpty(), host, asked.key());
  }

  private synchronized void renew(HttpExchange exchange) throws IOException {
    RenewRequest asked = RenewRequest.read(exchange.getRequestBody().readAllBytes());
    renewals.add(asked.key());
    if (!asked.newKey().isEmpty()) {
      wantsNewKeys = false;
    }
    String key = asked.newKey().isEmpty() ? asked.key() : asked.newKey();
    answer(exchange, asked.isGenuine(), asked.host(), key);
  }

  private void answer(HttpExchange exchange, boolean genuine, String host, String key)
      throws IOException {
    try (exchange) {
      byte[] body =
          genuine && !isAway ? admission(host, key).write() : "{\"detail\":\"no\"}".getBytes(UTF_8);
      exchange.sendResponseHeaders(isAway ? 503 : genuine ? 200 : 403, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private Admission admission(String host, String key) throws IOException {
    Path root = stack.secrets().trust(Site.TENANT).resolve("root.json");
    return new Admission(
        Site.TENANT,
        host,
        url(),
        stack.nats().url(),
        ticket(host, key),
        "",
        new TreeMap<>(Map.of("root.json", Files.readString(root))),
        wantsNewKeys);
  }

  private String ticket(String host, String key) throws IOException {
    NatsKeys keys = stack.nats().realm().keys();
    String account = keys.account("devices");
    Path file = keys.enrolment().resolve(NatsKey.HOSTS_SIGNING + ".nk");
    Nkey signer = Nkey.ofSeed(Files.readString(file).strip());
    Instant now = Instant.now();
    return new Tickets(account, now)
        .host(key, Site.TENANT, host, now.plus(goodFor))
        .signedBy(signer);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
