package dev.uplift.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.awaitility.Awaitility.await;

import dev.uplift.agent.link.Login;
import dev.uplift.protocol.Action;
import dev.uplift.protocol.AgentInfo;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandDraft;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Heartbeat;
import dev.uplift.protocol.Purpose;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.protocol.SignedRoot;
import dev.uplift.protocol.SigningKey;
import dev.uplift.protocol.Subjects;
import dev.uplift.temporaldev.Host;
import dev.uplift.temporaldev.Stack;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

/// A real nats-server with the streams, agents as processes, and the server's pen: who sends
/// commands here is the test.
final class Site implements AutoCloseable {
  static final String TENANT = "acme";

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final JetStreamOptions PATIENT =
      JetStreamOptions.builder().requestTimeout(Duration.ofSeconds(30)).build();

  final Stack stack;
  private final SigningKey commandKey;
  private final SigningKey releaseKey;
  private final Connection connection;
  private final List<Message> heard = new CopyOnWriteArrayList<>();
  private long epoch = System.currentTimeMillis();

  private Site(Stack stack) throws Exception {
    this.stack = stack;
    stack.nats().start();
    var _ = stack.secrets().trust(TENANT);
    commandKey = SigningKey.read(stack.secrets().commandKey());
    releaseKey = SigningKey.read(stack.secrets().releaseKey());
    connection = Nats.connect(options(stack.nats()));
    addStream(Subjects.CMD, Subjects.ALL_COMMANDS, 1);
    addStream(Subjects.EVT, Subjects.ALL_EVENTS, 1000);
    addStream(Subjects.STATE, Subjects.ALL_INFOS, 1);
    addStream(Subjects.TRUST, Subjects.ALL_ROOTS, 1);
    var dispatcher = connection.createDispatcher(heard::add);
    dispatcher.subscribe(Subjects.ALL_EVENTS);
    dispatcher.subscribe(Subjects.ALL_INFOS);
    dispatcher.subscribe(Subjects.ALL_HEARTBEATS);
  }

  static Site open() throws Exception {
    Stack stack = Stack.temporary().agentClassPath(ClassPath.ofAgent()).open();
    try {
      return new Site(stack);
    } catch (Exception e) {
      stack.close();
      throw e;
    }
  }

  private static Options options(dev.uplift.temporaldev.Nats nats) {
    return Options.builder()
        .server(nats.url())
        .authHandler(new Login(nats.realm().server()))
        .connectionTimeout(PATIENCE)
        .maxReconnects(-1)
        .reconnectWait(Duration.ofMillis(100))
        .errorListener(new io.nats.client.ErrorListener() {})
        .build();
  }

  private void addStream(String name, String subject, long perSubject)
      throws IOException, JetStreamApiException {
    connection
        .jetStreamManagement(PATIENT)
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
  Host host(String name) {
    return stack.host(TENANT, name).has("shopd", "simulated", Map.of("version", "1.4.0"));
  }

  /// To bring 1.5.0, with these arguments for the driver.
  CommandDraft draft(Action action, Map<String, String> arguments) {
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
    return draft(action, release);
  }

  /// To bring this one, or to go back to 1.4.0 from it.
  CommandDraft draft(Action action, ReleaseManifest release) {
    return draft(action, release, action == Action.ROLLBACK ? "1.4.0" : release.version());
  }

  /// @param version that the work is to lead to
  CommandDraft draft(Action action, ReleaseManifest release, String version) {
    String text = new String(release.write(), UTF_8);
    return Command.draft(action)
        .of(release.packageName(), version)
        .at(Instant.now(), Instant.now().plus(Duration.ofHours(1)))
        .release(text, releaseKey.sign(Purpose.RELEASE, release.write()));
  }

  /// To go back to this one, as the release keys allow.
  CommandDraft draftBack(Action action, ReleaseManifest release) {
    byte[] text = release.write();
    String signatures =
        releaseKey.sign(Purpose.RELEASE, text) + "\n" + releaseKey.sign(Purpose.DOWNGRADE, text);
    return draft(action, release).release(new String(text, UTF_8), signatures).allowDowngrade(true);
  }

  CommandDraft draft(Action action) {
    return draft(action, Map.of());
  }

  /// The key that the server signs commands with.
  SigningKey commandKey() {
    return commandKey;
  }

  SigningKey releaseKey() {
    return releaseKey;
  }

  /// A root of the tenant is where its hosts find it.
  void keep(long version, SignedRoot root) throws Exception {
    connection.jetStream(PATIENT).publish(Subjects.root(TENANT, version), root.write());
  }

  Command command(Host host, CommandDraft draft) {
    epoch++;
    return draft.command(UUID.randomUUID().toString(), TENANT, host.id(), epoch);
  }

  Command send(Host host, CommandDraft draft) throws Exception {
    return send(command(host, draft));
  }

  Command send(Command command) throws Exception {
    put(
        command.subject(),
        command.write(),
        new Headers()
            .put(Command.SIGNATURE_HEADER, commandKey.sign(Purpose.COMMAND, command.write())));
    return command;
  }

  void put(String host, byte[] body, Headers headers) throws Exception {
    // A server that has just been started, and a link that is not back yet, may refuse it.
    await("the slot takes it")
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(() ->
            connection.jetStream(PATIENT).publish(Subjects.command(host), headers, body) != null);
  }

  /// Waits for it.
  Event outcome(Command command) {
    return await("outcome of " + command.action())
        .atMost(PATIENCE)
        .until(() -> outcomes(command).stream().findFirst(), Optional::isPresent)
        .orElseThrow();
  }

  /// Every time it was said.
  List<Event> outcomes(Command command) {
    return heard.stream()
        .filter(message -> message.getSubject().equals(Subjects.events(command.subject())))
        .map(message -> Event.read(message.getData()))
        .filter(event -> event.said() instanceof Event.Outcome)
        .filter(event -> event.commandId().equals(command.id()))
        .toList();
  }

  List<Heartbeat> beats(Host host) {
    String prefix = "device-heartbeat." + TENANT + "." + host.id() + ".";
    return heard.stream()
        .filter(message -> message.getSubject().startsWith(prefix))
        .map(message -> Heartbeat.read(message.getData()))
        .toList();
  }

  /// The newest of each instance that has ever beaten.
  Map<String, Heartbeat> newestBeats(Host host) {
    String prefix = "device-heartbeat." + TENANT + "." + host.id() + ".";
    var newest = new TreeMap<String, Heartbeat>();
    heard.stream()
        .filter(message -> message.getSubject().startsWith(prefix))
        .forEach(message ->
            newest.put(
                message.getSubject().substring(prefix.length()),
                Heartbeat.read(message.getData())));
    return newest;
  }

  Heartbeat awaitBeat(Host host, java.util.function.Predicate<Heartbeat> wanted) {
    return await("a heartbeat of " + host.id())
        .atMost(PATIENCE)
        .until(() -> beats(host).stream().filter(wanted).findFirst(), Optional::isPresent)
        .orElseThrow();
  }

  AgentInfo awaitInfo(Host host, java.util.function.Predicate<AgentInfo> wanted) {
    String subject = Subjects.info(Subjects.host(TENANT, host.id()));
    return await("an info of " + host.id())
        .atMost(PATIENCE)
        .until(
            () ->
                heard.stream()
                    .filter(message -> message.getSubject().equals(subject))
                    .map(message -> AgentInfo.read(message.getData()))
                    .filter(wanted)
                    .findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }

  /// How many of this command's outcomes the stream has kept.
  long kept(Command command) throws Exception {
    var stream = connection.getStreamContext(Subjects.EVT);
    long kept = 0;
    long last = stream.getStreamInfo().getStreamState().getLastSequence();
    for (long sequence = 1; sequence <= last; sequence++) {
      Event event = Event.read(requireNonNull(stream.getMessage(sequence).getData()));
      if (event.commandId().equals(command.id()) && event.said() instanceof Event.Outcome) {
        kept++;
      }
    }
    return kept;
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
