package dev.uplift.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.awaitility.Awaitility.await;

import dev.uplift.agent.transport.CredentialsFileAuthHandler;
import dev.uplift.protocol.AgentInfo;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Heartbeat;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.protocol.SignedTrustRoot;
import dev.uplift.protocol.Subjects;
import dev.uplift.protocol.signature.SignatureDomain;
import dev.uplift.protocol.signature.SigningKey;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.temporaldev.stack.StackHost;
import dev.uplift.testservers.TestServers;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamOptions;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.impl.Headers;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

/// A real nats-server with the streams, agents as processes, and the server's pen: who sends commands here is the test.
final class AgentTestbed implements AutoCloseable {
  static final String TENANT = "acme";

  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final JetStreamOptions LONG_TIMEOUT =
      JetStreamOptions.builder().requestTimeout(Duration.ofSeconds(30)).build();

  final Stack stack;
  private final SigningKey commandKey;
  private final SigningKey releaseKey;
  private final Connection connection;
  private final List<Message> receivedMessages = new CopyOnWriteArrayList<>();
  private long epoch = System.currentTimeMillis();

  private AgentTestbed(Stack stack) throws Exception {
    this.stack = stack;
    stack.nats().start();
    var _ = stack.secrets().trustFolder(TENANT);
    commandKey = SigningKey.read(stack.secrets().commandKeyFile());
    releaseKey = SigningKey.read(stack.secrets().releaseKeyFile());
    connection = Nats.connect(options(stack.nats()));
    addStream(Subjects.COMMAND_STREAM, Subjects.ALL_COMMANDS, 1);
    addStream(Subjects.EVENT_STREAM, Subjects.ALL_EVENTS, 1000);
    addStream(Subjects.INFO_STREAM, Subjects.ALL_INFOS, 1);
    addStream(Subjects.TRUST_STREAM, Subjects.ALL_ROOTS, 1);
    var dispatcher = connection.createDispatcher(receivedMessages::add);
    dispatcher.subscribe(Subjects.ALL_EVENTS);
    dispatcher.subscribe(Subjects.ALL_INFOS);
    dispatcher.subscribe(Subjects.ALL_HEARTBEATS);
  }

  static AgentTestbed open() throws Exception {
    Stack stack = TestServers.stack().agentClassPath(AgentClassPath.ofAgent()).open();
    try {
      return new AgentTestbed(stack);
    } catch (Exception e) {
      stack.close();
      throw e;
    }
  }

  private static Options options(dev.uplift.temporaldev.stack.NatsServer natsServer) {
    return Options.builder()
        .server(natsServer.url())
        .authHandler(new CredentialsFileAuthHandler(natsServer.operator().serverCredentials()))
        .connectionTimeout(TIMEOUT)
        .maxReconnects(-1)
        .reconnectWait(Duration.ofMillis(100))
        .errorListener(new io.nats.client.ErrorListener() {})
        .build();
  }

  private void addStream(String name, String subject, long perSubject) throws IOException, JetStreamApiException {
    connection
        .jetStreamManagement(LONG_TIMEOUT)
        .addStream(
            StreamConfiguration.builder()
                .name(name)
                .subjects(subject)
                .maxMessagesPerSubject(perSubject)
                .duplicateWindow(Duration.ofMinutes(2))
                .allowDirect(true)
                .build());
  }

  /// A host with the package `shopd` at 1.4.0, by the simulated driver.
  StackHost host(String name) {
    return stack.host(TENANT, name).withPackage("shopd", "simulated", Map.of("version", "1.4.0"));
  }

  /// To bring 1.5.0, with these arguments for the driver.
  TestCommandBuilder draft(CommandAction commandAction, Map<String, String> arguments) {
    ReleaseManifest release =
        new ReleaseManifest(
            "shopd",
            "simulated",
            "1.5.0",
            42,
            Optional.empty(),
            new TreeMap<>(arguments),
            List.of(),
            Instant.parse("2026-03-01T12:00:00Z"));
    return draft(commandAction, release);
  }

  /// To bring this one, or to go back to 1.4.0 from it.
  TestCommandBuilder draft(CommandAction commandAction, ReleaseManifest release) {
    return draft(commandAction, release, commandAction == CommandAction.ROLLBACK ? "1.4.0" : release.version());
  }

  /// @param version that the work is to lead to
  TestCommandBuilder draft(CommandAction commandAction, ReleaseManifest release, String version) {
    String text = new String(release.write(), UTF_8);
    return new TestCommandBuilder(commandAction)
        .target(release.packageName(), version)
        .times(Instant.now(), Instant.now().plus(Duration.ofHours(1)))
        .release(text, releaseKey.sign(SignatureDomain.RELEASE, release.write()));
  }

  /// To go back to this one, as the release keys allow.
  TestCommandBuilder draftDowngrade(CommandAction commandAction, ReleaseManifest release) {
    byte[] text = release.write();
    String signatures =
        releaseKey.sign(SignatureDomain.RELEASE, text) + "\n" + releaseKey.sign(SignatureDomain.DOWNGRADE, text);
    return draft(commandAction, release).release(new String(text, UTF_8), signatures).allowDowngrade(true);
  }

  TestCommandBuilder draft(CommandAction commandAction) {
    return draft(commandAction, Map.of());
  }

  /// The key that the server signs commands with.
  SigningKey commandKey() {
    return commandKey;
  }

  SigningKey releaseKey() {
    return releaseKey;
  }

  /// A root of the tenant is where its hosts find it.
  void publishRoot(long version, SignedTrustRoot root) throws Exception {
    connection.jetStream(LONG_TIMEOUT).publish(Subjects.root(TENANT, version), root.write());
  }

  Command command(StackHost stackHost, TestCommandBuilder draft) {
    epoch++;
    return draft.build(UUID.randomUUID().toString(), TENANT, stackHost.id(), epoch);
  }

  Command send(StackHost stackHost, TestCommandBuilder draft) throws Exception {
    return send(command(stackHost, draft));
  }

  Command send(Command command) throws Exception {
    publishRaw(
        command.hostAddress(),
        command.write(),
        new Headers().put(Command.SIGNATURE_HEADER, commandKey.sign(SignatureDomain.COMMAND, command.write())));
    return command;
  }

  /// Asks the host for something that it will not do: the key of the command is none that it trusts.
  void sendUntrusted(StackHost stackHost) throws Exception {
    Command command = command(stackHost, draft(CommandAction.PREPARE));
    publishRaw(
        command.hostAddress(),
        command.write(),
        new Headers()
            .put(Command.SIGNATURE_HEADER, SigningKey.generate().sign(SignatureDomain.COMMAND, command.write())));
  }

  void publishRaw(String host, byte[] body, Headers headers) throws Exception {
    // A server that has just been started, and a link that is not back yet, may refuse it.
    await("the slot takes it")
        .atMost(TIMEOUT)
        .ignoreExceptions()
        .until(() -> connection.jetStream(LONG_TIMEOUT).publish(Subjects.command(host), headers, body) != null);
  }

  /// Waits for it.
  Event outcome(Command command) {
    return await("outcome of " + command.action())
        .atMost(TIMEOUT)
        .until(() -> outcomes(command).stream().findFirst(), Optional::isPresent)
        .orElseThrow();
  }

  /// Every time it was said.
  List<Event> outcomes(Command command) {
    return receivedMessages.stream()
        .filter(message -> message.getSubject().equals(Subjects.events(command.hostAddress())))
        .map(message -> Event.read(message.getData()))
        .filter(event -> event.content() instanceof Event.Outcome)
        .filter(event -> event.commandId().equals(command.id()))
        .toList();
  }

  List<Heartbeat> heartbeats(StackHost stackHost) {
    String prefix = "device-heartbeat." + TENANT + "." + stackHost.id() + ".";
    return receivedMessages.stream()
        .filter(message -> message.getSubject().startsWith(prefix))
        .map(message -> Heartbeat.read(message.getData()))
        .toList();
  }

  /// The newest of each instance that has ever beaten.
  Map<String, Heartbeat> latestHeartbeats(StackHost stackHost) {
    String prefix = "device-heartbeat." + TENANT + "." + stackHost.id() + ".";
    var newest = new TreeMap<String, Heartbeat>();
    receivedMessages.stream()
        .filter(message -> message.getSubject().startsWith(prefix))
        .forEach(
            message -> newest.put(message.getSubject().substring(prefix.length()), Heartbeat.read(message.getData())));
    return newest;
  }

  Heartbeat awaitHeartbeat(StackHost stackHost, java.util.function.Predicate<Heartbeat> wanted) {
    return await("a heartbeat of " + stackHost.id())
        .atMost(TIMEOUT)
        .until(() -> heartbeats(stackHost).stream().filter(wanted).findFirst(), Optional::isPresent)
        .orElseThrow();
  }

  AgentInfo awaitInfo(StackHost stackHost, java.util.function.Predicate<AgentInfo> wanted) {
    String subject = Subjects.info(Subjects.hostAddress(TENANT, stackHost.id()));
    return await("an info of " + stackHost.id())
        .atMost(TIMEOUT)
        .until(
            () ->
                receivedMessages.stream()
                    .filter(message -> message.getSubject().equals(subject))
                    .map(message -> AgentInfo.read(message.getData()))
                    .filter(wanted)
                    .findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }

  /// The texts that the stream has of its outcome. One that an agent has sent twice, because it was killed before the
  /// answer of the stream, is there twice and here once.
  Set<String> storedOutcomes(Command command) throws Exception {
    var stream = connection.getStreamContext(Subjects.EVENT_STREAM);
    Set<String> texts = new HashSet<>();
    long last = stream.getStreamInfo().getStreamState().getLastSequence();
    for (long sequence = 1; sequence <= last; sequence++) {
      byte[] data = requireNonNull(stream.getMessage(sequence).getData());
      Event event = Event.read(data);
      if (event.commandId().equals(command.id()) && event.content() instanceof Event.Outcome) {
        texts.add(new String(data, UTF_8));
      }
    }
    return texts;
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      stack.close();
    }
  }
}
