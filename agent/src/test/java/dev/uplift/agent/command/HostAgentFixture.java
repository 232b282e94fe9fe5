package dev.uplift.agent.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import dev.uplift.agent.TestCommandBuilder;
import dev.uplift.agent.driver.AgentHandover;
import dev.uplift.agent.driver.AgentTrial;
import dev.uplift.agent.driver.HostPackage;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.files.FileOps;
import dev.uplift.agent.journal.CommandJournal;
import dev.uplift.agent.journal.OwnerHolds;
import dev.uplift.agent.journal.PackageHalts;
import dev.uplift.agent.report.HostContext;
import dev.uplift.agent.trust.TrustStore;
import dev.uplift.agent.trust.TrustedTimeFloor;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.protocol.signature.SignatureDomain;
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
final class HostAgentFixture implements AutoCloseable {
  static final String BOOT = "boot-1";
  static final String NEXT_BOOT = "boot-2";

  private static final Duration MS = Duration.ofMillis(1);

  final FakeServer server = new FakeServer();
  final FakeDriver driver = new FakeDriver();
  final AtomicInteger reboots = new AtomicInteger();
  volatile int rebootCode;
  final RootSigner rootSigner = new RootSigner();
  private final AtomicInteger ids = new AtomicInteger();
  private final AtomicInteger instances = new AtomicInteger();
  private final Path installed;
  private TrustStore trust;
  private CommandJournal journal = CommandJournal.inMemory();
  private Duration pollInterval = Duration.ofMinutes(5);
  private Duration heartbeatInterval = MS.multipliedBy(200);
  private Duration rebootTimeout = Duration.ofMinutes(5);
  private int readsBeforeStart;
  private @Nullable HostAgent agent;

  HostAgentFixture(Path folder) throws IOException {
    installed = folder;
    server.key = rootSigner.command;
    Files.write(folder.resolve("root.json"), rootSigner.root().write());
    trust = TrustStore.inMemory(rootSigner.root());
  }

  HostAgentFixture pollsEvery(Duration every) {
    pollInterval = every;
    return this;
  }

  HostAgentFixture publishesHeartbeatEvery(Duration every) {
    heartbeatInterval = every;
    return this;
  }

  HostAgentFixture rebootsWithin(Duration within) {
    rebootTimeout = within;
    return this;
  }

  HostAgentFixture usesJournal(CommandJournal memory) {
    journal = memory;
    return this;
  }

  /// From its next start on it keeps roots in this folder.
  HostAgentFixture storesRootsIn(Path state) throws IOException {
    trust = TrustStore.open(FileOps.onDisk(), installed, state, "acme");
    return this;
  }

  TrustStore trust() {
    return trust;
  }

  CommandJournal journal() {
    return journal;
  }

  HostAgentFixture start() {
    return start(BOOT);
  }

  /// A new agent, with the memory of the one before.
  HostAgentFixture start(String bootId) {
    AgentIntervals intervals =
        new AgentIntervals(
            heartbeatInterval,
            pollInterval,
            List.of(MS.multipliedBy(100), MS.multipliedBy(300)),
            rebootTimeout,
            MS.multipliedBy(20),
            MS.multipliedBy(40),
            Duration.ofMinutes(1));
    var environment =
        new HostEnvironment(
            this::fetch,
            this::reboot,
            intervals,
            AgentHandover.NONE,
            AgentTrial.NONE,
            TrustedTimeFloor.inMemory(),
            OwnerHolds.none(),
            PackageHalts.inFolder(FileOps.onDisk(), installed, System::nanoTime));
    readsBeforeStart = server.mailboxReads.get();
    agent = new HostAgent(setup(bootId), trust, server, journal, environment);
    agent.start();
    return this;
  }

  HostContext setup(String bootId) {
    return new HostContext(
        "acme",
        "left",
        "instance-" + instances.incrementAndGet(),
        bootId,
        "0.1.0",
        "x86_64",
        new TreeMap<>(Map.of("shopd", new HostPackage("bundle", driver))));
  }

  private Path fetch(
      String address, ReleaseManifest.Artifact artifact, dev.uplift.agent.download.DownloadControl control)
      throws StepFailed {
    throw StepFailed.fatal("no-artifact", "there is none in this test");
  }

  private int reboot(java.util.function.Consumer<String> log) {
    log.accept("reboots");
    reboots.incrementAndGet();
    return rebootCode;
  }

  /// Ends the agent as a stop does; unfinished commands stay as they are.
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
        "shopd", "bundle", version, sequence, Optional.empty(), new TreeMap<>(), over, FakeServer.NOW);
  }

  String signed(ReleaseManifest release) {
    return rootSigner.release.sign(SignatureDomain.RELEASE, release.write());
  }

  /// Signed, and allowed to follow a newer one.
  String signedForDowngrade(ReleaseManifest release) {
    return signed(release) + "\n" + rootSigner.release.sign(SignatureDomain.DOWNGRADE, release.write());
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
        ReleaseManifest.StepSeconds.NONE,
        FakeServer.NOW);
  }

  /// To bring 1.5.0, the 42nd release.
  TestCommandBuilder draft(CommandAction commandAction) {
    return draft(commandAction, release("1.5.0", 42));
  }

  TestCommandBuilder draft(CommandAction commandAction, ReleaseManifest release) {
    return new TestCommandBuilder(commandAction)
        .target("shopd", commandAction == CommandAction.ROLLBACK ? "1.4.0" : release.version())
        .times(FakeServer.NOW, FakeServer.NOW.plus(Duration.ofHours(1)))
        .release(new String(release.write(), UTF_8), signed(release));
  }

  /// The next command for this host: its id and epoch are higher than those before.
  Command next(TestCommandBuilder draft) {
    int n = ids.incrementAndGet();
    return draft.build("command-" + n, "acme", "left", 1000L + n);
  }

  Command next(CommandAction commandAction) {
    return next(draft(commandAction));
  }

  Command reboot(String bootId) {
    return next(draft(CommandAction.REBOOT).expectBoot(bootId));
  }

  Command cancel(String commandId) {
    return next(draft(CommandAction.CANCEL).cancels(commandId));
  }

  /// Rung for once the agent has looked when it connected: else it may find the command then, and take the bell for
  /// another one.
  Command send(Command command) {
    await().until(() -> server.mailboxReads.get() > readsBeforeStart);
    return server.send(command);
  }

  Command send(CommandAction commandAction) {
    return send(next(commandAction));
  }

  /// Has the agent look and answer once more, so that whatever it was to do before is done.
  void awaitIdle() {
    var _ = server.outcome(send(CommandAction.INSPECT));
  }
}
