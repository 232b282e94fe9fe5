package dev.uplift.agent.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.files.FileOps;
import dev.uplift.agent.ops.Ops;
import dev.uplift.protocol.Action;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandDraft;
import dev.uplift.protocol.Purpose;
import dev.uplift.protocol.ReleaseManifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// An agent between a server and a driver that are played, with a memory that survives it.
final class Rig implements AutoCloseable {
  static final String BOOT = "boot-1";
  static final String NEXT_BOOT = "boot-2";

  private static final Duration MS = Duration.ofMillis(1);

  final FakeServer server = new FakeServer();
  final FakeDriver driver = new FakeDriver();
  final AtomicInteger reboots = new AtomicInteger();
  volatile int rebootCode;
  final RootPen roots = new RootPen();
  private final AtomicInteger ids = new AtomicInteger();
  private final AtomicInteger instances = new AtomicInteger();
  private final Path installed;
  private Trust trust;
  private Ops ops = Ops.inMemory();
  private Duration look = Duration.ofMinutes(5);
  private Duration beat = MS.multipliedBy(200);
  private Duration goesDown = Duration.ofMinutes(5);
  private int looksBefore;
  private @Nullable HostAgent agent;

  Rig(Path folder) throws IOException {
    installed = folder;
    server.key = roots.command;
    Files.write(folder.resolve("root.json"), roots.root().write());
    trust = Trust.inMemory(roots.root());
  }

  Rig looksEvery(Duration every) {
    look = every;
    return this;
  }

  Rig beatsEvery(Duration every) {
    beat = every;
    return this;
  }

  Rig goesDownWithin(Duration within) {
    goesDown = within;
    return this;
  }

  Rig remembersIn(Ops memory) {
    ops = memory;
    return this;
  }

  /// From its next start on it keeps roots in this folder.
  Rig keepsRootsIn(Path state) throws IOException {
    trust = Trust.open(FileOps.onDisk(), installed, state, "acme");
    return this;
  }

  Trust trust() {
    return trust;
  }

  Ops ops() {
    return ops;
  }

  Rig start() {
    return start(BOOT);
  }

  /// A new agent, with the memory of the one before.
  Rig start(String bootId) {
    Tempo tempo =
        new Tempo(
            beat,
            look,
            MS.multipliedBy(100),
            MS.multipliedBy(300),
            goesDown,
            MS.multipliedBy(20),
            MS.multipliedBy(40),
            Duration.ofMinutes(1));
    var surroundings = new Surroundings(this::fetch, this::reboot, tempo);
    looksBefore = server.looks.get();
    agent = new HostAgent(setup(bootId), trust, server, ops, surroundings);
    agent.start();
    return this;
  }

  HostSetup setup(String bootId) {
    return new HostSetup(
        "acme",
        "left",
        "instance-" + instances.incrementAndGet(),
        bootId,
        "0.1.0",
        "x86_64",
        new TreeMap<>(Map.of("shopd", new HostPackage("bundle", driver))));
  }

  private Path fetch(
      String address, ReleaseManifest.Artifact artifact, dev.uplift.agent.download.Watch watch)
      throws StepFailed {
    throw StepFailed.fatal("no-artifact", "there is none in this test");
  }

  private int reboot(java.util.function.Consumer<String> log) {
    log.accept("reboots");
    reboots.incrementAndGet();
    return rebootCode;
  }

  /// Ends the agent as a stop does; what is in work is left as it is.
  void stop() {
    if (agent != null) {
      agent.close();
      agent = null;
    }
  }

  @Override
  public void close() {
    stop();
  }

  static ReleaseManifest release(String version, long sequence) {
    return release(version, sequence, List.of());
  }

  static ReleaseManifest release(String version, long sequence, List<String> over) {
    return new ReleaseManifest(
        "shopd",
        "bundle",
        version,
        sequence,
        Optional.empty(),
        new TreeMap<>(),
        over,
        FakeServer.NOW);
  }

  String signed(ReleaseManifest release) {
    return roots.release.sign(Purpose.RELEASE, release.write());
  }

  /// Signed, and allowed to follow a newer one.
  String permitted(ReleaseManifest release) {
    return signed(release) + "\n" + roots.release.sign(Purpose.DOWNGRADE, release.write());
  }

  /// For the hosts of one tenant.
  static ReleaseManifest releaseOf(String tenant) {
    return new ReleaseManifest(
        tenant,
        "shopd",
        "bundle",
        "1.5.0",
        42,
        Optional.empty(),
        new TreeMap<>(),
        List.of(),
        FakeServer.NOW);
  }

  /// To bring 1.5.0, the 42nd release.
  CommandDraft draft(Action action) {
    return draft(action, release("1.5.0", 42));
  }

  CommandDraft draft(Action action, ReleaseManifest release) {
    return Command.draft(action)
        .of("shopd", action == Action.ROLLBACK ? "1.4.0" : release.version())
        .at(FakeServer.NOW, FakeServer.NOW.plus(Duration.ofHours(1)))
        .release(new String(release.write(), UTF_8), signed(release));
  }

  /// The next command for this host: its id and epoch are higher than those before.
  Command next(CommandDraft draft) {
    int n = ids.incrementAndGet();
    return draft.command("command-" + n, "acme", "left", 1000L + n);
  }

  Command next(Action action) {
    return next(draft(action));
  }

  Command reboot(String bootId) {
    return next(draft(Action.REBOOT).expectingBoot(bootId));
  }

  Command cancel(String commandId) {
    return next(draft(Action.CANCEL).cancels(commandId));
  }

  /// Rung for once the agent has looked when it connected: else it may find the command then, and
  /// take the bell for another one.
  Command send(Command command) {
    await().until(() -> server.looks.get() > looksBefore);
    return server.send(command);
  }

  Command send(Action action) {
    return send(next(action));
  }

  /// Has the agent look and answer once more, so that whatever it was to do before is done.
  void settle() {
    var _ = server.outcome(send(Action.INSPECT));
  }
}
