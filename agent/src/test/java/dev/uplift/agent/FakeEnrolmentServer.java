package dev.uplift.agent;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.uplift.cli.keys.RootFolder;
import dev.uplift.cli.nats.NatsKeyFolder;
import dev.uplift.cli.nats.RotatableNatsKey;
import dev.uplift.protocol.SignedTrustRoot;
import dev.uplift.protocol.enrolment.EnrolmentResponse;
import dev.uplift.protocol.enrolment.JoinRequest;
import dev.uplift.protocol.enrolment.JoinToken;
import dev.uplift.protocol.enrolment.RenewRequest;
import dev.uplift.protocol.nats.Nkey;
import dev.uplift.protocol.nats.UserJwtFactory;
import dev.uplift.temporaldev.stack.Stack;
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

/// Lets hosts in, as the server does, with the real keys of NATS, and remembers who asked. How long its tickets are
/// good, and whether it wants other keys, a test says.
final class FakeEnrolmentServer implements AutoCloseable {
  private final Stack stack;
  private final HttpServer server;
  private final Map<String, String> hostsByToken = new HashMap<>();
  private final List<String> renewals = new ArrayList<>();
  private Duration validity = Duration.ofDays(30);
  private boolean requestNewKeys;
  private boolean unavailable;

  FakeEnrolmentServer(Stack stack) throws IOException {
    this.stack = stack;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/v1/join", this::join);
    server.createContext("/v1/renew", this::renew);
    server.start();
  }

  /// For a host of this name.
  synchronized String token(String host) {
    JoinToken token = JoinToken.create(url(), AgentTestbed.TENANT, host, "");
    hostsByToken.put(token.secret(), host);
    return token.encode();
  }

  private String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  synchronized void validity(Duration time) {
    validity = time;
  }

  /// Until one has come.
  synchronized void requestNewKeys() {
    requestNewKeys = true;
  }

  /// Has no answer but 503.
  synchronized void unavailable(boolean value) {
    unavailable = value;
  }

  /// The keys that asked for their next ticket, one after the other.
  synchronized List<String> renewals() {
    return List.copyOf(renewals);
  }

  private synchronized void join(HttpExchange exchange) throws IOException {
    JoinRequest asked = JoinRequest.read(exchange.getRequestBody().readAllBytes());
    String host = hostsByToken.getOrDefault(asked.secret(), "");
    answer(exchange, asked.hasValidSignature() && !host.isEmpty(), host, asked.key());
  }

  private synchronized void renew(HttpExchange exchange) throws IOException {
    RenewRequest asked = RenewRequest.read(exchange.getRequestBody().readAllBytes());
    renewals.add(asked.key());
    if (!asked.newKey().isEmpty()) {
      requestNewKeys = false;
    }
    String key = asked.newKey().isEmpty() ? asked.key() : asked.newKey();
    answer(exchange, asked.hasValidSignatures(), asked.host(), key);
  }

  private void answer(HttpExchange exchange, boolean genuine, String host, String key) throws IOException {
    try (exchange) {
      byte[] body = genuine && !unavailable ? admission(host, key).write() : "{\"detail\":\"no\"}".getBytes(UTF_8);
      exchange.sendResponseHeaders(unavailable ? 503 : genuine ? 200 : 403, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private EnrolmentResponse admission(String host, String key) throws IOException {
    SignedTrustRoot root = new RootFolder(stack.secrets().rootFolder(AgentTestbed.TENANT)).signedRoot(1);
    return new EnrolmentResponse(
        AgentTestbed.TENANT,
        host,
        url(),
        stack.nats().url(),
        ticket(host, key),
        "",
        new TreeMap<>(
            Map.of(EnrolmentResponse.ROOT_FILE, root.root(), EnrolmentResponse.ROOT_SIGNATURE_FILE, root.signature())),
        requestNewKeys);
  }

  private String ticket(String host, String key) throws IOException {
    NatsKeyFolder keyFolder = stack.nats().operator().keyFolder();
    String account = keyFolder.accountPublicKey("devices");
    Path file = keyFolder.enrolmentFolder().resolve(RotatableNatsKey.HOSTS_SIGNING + ".nk");
    Nkey signer = Nkey.fromSeed(Files.readString(file).strip());
    Instant now = Instant.now();
    return new UserJwtFactory(account, now).host(key, AgentTestbed.TENANT, host, now.plus(validity)).sign(signer);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
