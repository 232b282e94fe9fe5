import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.agent.files.FileOps;
import dev.uplift.agent.enrolment.HostIdentity;
import dev.uplift.agent.trust.TlsAuthorities;
import dev.uplift.agent.transport.CredentialsFileAuthHandler;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Order;
import dev.uplift.protocol.Order.SignedRelease;
import dev.uplift.protocol.signature.SignatureDomain;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.protocol.TrustRoot;
import dev.uplift.protocol.signature.SigningKey;
import dev.uplift.protocol.Subjects;
import dev.uplift.protocol.signature.TrustedKey;
import dev.uplift.protocol.enrolment.EnrolmentResponse;
import dev.uplift.protocol.enrolment.RenewRequest;
import dev.uplift.protocol.nats.Nkey;
import io.nats.client.Connection;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.impl.Headers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/// The surroundings of a host: a nats-server and artifacts, both over TLS, and the server's signing
/// key.
final class TrainingServer implements AutoCloseable {
  static final String TENANT = "acme";
  static final String HOST = "training";

  private static final Duration TIMEOUT = Duration.ofSeconds(90);

  final List<Message> receivedMessages = new CopyOnWriteArrayList<>();
  private final Path folder;
  private final String program;
  private final int port;
  private final SigningKey key = SigningKey.generate();
  private final SigningKey releaseKey = SigningKey.generate();
  private final ArtifactServer artifacts;
  private final TrainingNatsOperator operator = new TrainingNatsOperator();
  private final String root;
  private Process natsServer;
  private final Connection connection;
  private long epoch = 1;
  private long sequence = 1;

  TrainingServer(Path folder, String program) throws Exception {
    this.folder = Files.createDirectories(folder);
    this.program = program;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    SelfSignedCertificate certificate = SelfSignedCertificate.in(folder);
    TlsAuthorities.trustOnly(Optional.of(ca()), Instant::now);
    configure();
    startServer();
    connection =
        Nats.connect(
            Options.builder()
                .server(url())
                .authHandler(new CredentialsFileAuthHandler(operator.serverCredentials(folder.resolve("server.creds"))))
                .maxReconnects(-1)
                .reconnectWait(Duration.ofMillis(100))
                .errorListener(new io.nats.client.ErrorListener() {})
                .build());
    stream(Subjects.COMMAND_STREAM, Subjects.ALL_COMMANDS, 1);
    stream(Subjects.EVENT_STREAM, Subjects.ALL_EVENTS, 1000);
    stream(Subjects.INFO_STREAM, Subjects.ALL_INFOS, 1);
    stream(Subjects.TRUST_STREAM, Subjects.ALL_ROOTS, 1);
    var dispatcher = connection.createDispatcher(receivedMessages::add);
    dispatcher.subscribe(Subjects.ALL_EVENTS);
    dispatcher.subscribe(Subjects.ALL_INFOS);
    dispatcher.subscribe(Subjects.ALL_HEARTBEATS);
    connection.flush(TIMEOUT);
    artifacts = new ArtifactServer(folder.resolve("artifacts"), certificate.context());
    artifacts.respondTo("/v1/renew", asked ->
        enrolmentResponse(RenewRequest.read(asked).key(), Duration.ZERO).write());
    root = root();
  }

  /// The host whose configuration is in this folder has joined, two days ago.
  void writeIdentity(Path home) throws IOException {
    Nkey own = Nkey.generate(Nkey.Kind.USER);
    HostIdentity.beside(home)
        .replace(FileOps.onDisk(), enrolmentResponse(own.publicKey(), Duration.ofDays(2)), own, "");
  }

  private EnrolmentResponse enrolmentResponse(String hostKey, Duration age) {
    try {
      return new EnrolmentResponse(TENANT, HOST, artifacts.url(""), url(), operator.hostJwt(hostKey, age),
          Files.readString(ca()), new TreeMap<>(Map.of("root.json", root)), false);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private String root() {
    SigningKey owner = SigningKey.generate();
    var keys = new TreeMap<String, TrustedKey>();
    List.of(owner, releaseKey, key).forEach(each -> keys.put(each.keyId(), each.trustedKey()));
    var root =
        new TrustRoot(
            TENANT,
            1,
            Instant.parse("2999-01-01T00:00:00Z"),
            keys,
            Map.of(
                TrustRoot.Role.ROOT, new TrustRoot.RoleKeys(1, List.of(owner.keyId())),
                TrustRoot.Role.RELEASE, new TrustRoot.RoleKeys(1, List.of(releaseKey.keyId())),
                TrustRoot.Role.COMMAND, new TrustRoot.RoleKeys(1, List.of(key.keyId()))));
    return new String(root.write(), UTF_8);
  }

  Path ca() {
    return folder.resolve(SelfSignedCertificate.CERTIFICATE);
  }

  String url() {
    return "tls://127.0.0.1:" + port;
  }

  String artifactUrl(String name) {
    return artifacts.url(name);
  }

  private void configure() throws IOException {
    Files.writeString(
        folder.resolve("nats.conf"),
        """
        listen: "127.0.0.1:%d"
        jetstream { store_dir: "%s" }
        tls { cert_file: "%s", key_file: "%s" }
        %s
        """.formatted(port, folder.resolve("store"), ca(), folder.resolve(SelfSignedCertificate.KEY),
            operator.configuration()));
  }

  void startServer() throws Exception {
    natsServer =
        new ProcessBuilder(program, "-c", folder.resolve("nats.conf").toString())
            .redirectErrorStream(true)
            .redirectOutput(
                ProcessBuilder.Redirect.appendTo(folder.resolve("nats.log").toFile()))
            .start();
    await("nats-server listens", () -> {
      try (var _ = new java.net.Socket("127.0.0.1", port)) {
        return true;
      } catch (IOException _) {
        return false;
      }
    });
  }

  void stopServer() throws Exception {
    natsServer.destroy();
    natsServer.waitFor();
  }

  private void stream(String name, String subject, long perSubject) throws Exception {
    connection
        .jetStreamManagement()
        .addStream(
            StreamConfiguration.builder()
                .name(name)
                .subjects(subject)
                .maxMessagesPerSubject(perSubject)
                .allowDirect(true)
                .build());
  }

  ReleaseManifest release(String name, String kind, String version, String file,
      Map<String, String> arguments) throws Exception {
    Optional<ReleaseManifest.Artifact> artifact = Optional.empty();
    if (!file.isEmpty()) {
      byte[] all = Files.readAllBytes(folder.resolve("artifacts").resolve(file));
      byte[] sum = MessageDigest.getInstance("SHA-256").digest(all);
      artifact =
          Optional.of(new ReleaseManifest.Artifact(all.length, HexFormat.of().formatHex(sum)));
    }
    return new ReleaseManifest(name, kind, version, sequence++, artifact,
        new TreeMap<>(arguments), List.of(), Instant.parse("2026-01-01T00:00:00Z"));
  }

  SignedRelease signed(ReleaseManifest release) {
    return new SignedRelease(
        new String(release.write(), UTF_8),
        releaseKey.sign(SignatureDomain.RELEASE, release.write()));
  }

  /// Sends it and returns how it ended.
  Event sendAndAwait(ReleaseManifest release, String version, Order order) throws Exception {
    return outcome(send(release, version, "", order));
  }

  Command send(ReleaseManifest release, String version, String instance, Order order)
      throws Exception {
    epoch = Math.max(epoch + 1, System.currentTimeMillis());
    Instant now = Instant.now();
    var command = new Command(UUID.randomUUID().toString(), TENANT, HOST, epoch, now,
        now.plus(Duration.ofHours(1)), release.packageName(), version, instance,
        Command.Expect.NONE, Duration.ZERO, order);
    publishRaw(command.write(), new Headers()
        .put(Command.SIGNATURE_HEADER, key.sign(SignatureDomain.COMMAND, command.write())));
    return command;
  }

  void publishRaw(byte[] body, Headers headers) throws Exception {
    await("the slot takes it", () -> {
      try {
        return connection.jetStream()
            .publish(Subjects.command(Subjects.hostAddress(TENANT, HOST)), headers, body) != null;
      } catch (IOException | io.nats.client.JetStreamApiException _) {
        return false;
      }
    });
  }

  Event outcome(Command command) throws Exception {
    await("an answer to " + command.action() + " " + command.packageName(),
        () -> find(command).isPresent());
    return find(command).orElseThrow();
  }

  private Optional<Event> find(Command command) {
    return receivedMessages.stream()
        .filter(message -> message.getSubject().endsWith(".upgrade"))
        .map(message -> Event.read(message.getData()))
        .filter(event -> event.commandId().equals(command.id())
            && event.content() instanceof Event.Outcome)
        .findFirst();
  }

  long count(Predicate<Message> which) {
    return receivedMessages.stream().filter(which).count();
  }

  interface Condition {
    boolean holds() throws Exception;
  }

  static void await(String what, Condition condition) throws Exception {
    long until = System.nanoTime() + TIMEOUT.toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() > until) {
        throw new IllegalStateException("awaited in vain: " + what);
      }
      Thread.sleep(5);
    }
  }

  @Override
  public void close() throws Exception {
    artifacts.close();
    connection.close();
    stopServer();
  }
}
