package dev.uplift.agent;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.WARNING;

import dev.uplift.agent.command.AgentIntervals;
import dev.uplift.agent.command.HostAgent;
import dev.uplift.agent.command.HostEnvironment;
import dev.uplift.agent.download.DownloadTimeouts;
import dev.uplift.agent.download.Downloader;
import dev.uplift.agent.driver.AgentState;
import dev.uplift.agent.driver.Host;
import dev.uplift.agent.driver.HostPackage;
import dev.uplift.agent.driver.agent.AgentDriver;
import dev.uplift.agent.driver.agent.RunningAgent;
import dev.uplift.agent.enrolment.CredentialsRenewal;
import dev.uplift.agent.enrolment.HostIdentity;
import dev.uplift.agent.files.FileOps;
import dev.uplift.agent.journal.CommandJournal;
import dev.uplift.agent.journal.OwnerHolds;
import dev.uplift.agent.journal.PackageHalts;
import dev.uplift.agent.report.HostContext;
import dev.uplift.agent.transport.NatsTransport;
import dev.uplift.agent.transport.TransportSettings;
import dev.uplift.agent.trust.TlsAuthorities;
import dev.uplift.agent.trust.TrustStore;
import dev.uplift.agent.trust.TrustedTimeFloor;
import dev.uplift.protocol.Heartbeat.State;
import dev.uplift.protocol.json.MalformedMessage;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The agent's `main`: reads the configuration, puts the parts together, and works until it is ended. Ends with 12
/// where the configuration is wrong, which no start after it can mend, and with 16 after an internal error.
public final class Agent {
  private static final System.Logger LOG = System.getLogger(Agent.class.getName());
  private static final int FATAL_CONFIGURATION = 12;
  private static final int INTERNAL_ERROR = 16;
  private static final int USAGE = 2;
  private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(3);

  private Agent() {}

  public static void main(String[] args) throws InterruptedException {
    if (args.length == 1 && args[0].equals("--version")) {
      System.out.println(version());
      return;
    }
    List<String> words = List.of(args);
    if (JoinCommand.matches(words)) {
      System.exit(runEnrolmentCommand(words));
    }
    if (HoldCommand.matches(words)) {
      System.exit(runHoldCommand(words));
    }
    boolean tests = !words.isEmpty() && words.getFirst().equals("--self-test");
    List<String> rest = tests ? words.subList(1, words.size()) : words;
    if (rest.size() != 2 || !rest.getFirst().equals("--config")) {
      System.err.println(
          "usage: agent [--self-test] --config FILE | --version | " + JoinCommand.USAGE + " | " + HoldCommand.USAGE);
      System.exit(USAGE);
    }
    Path configuration = Path.of(rest.getLast());
    try {
      deleteStartMarker();
      if (tests) {
        System.exit(SelfTest.run(configuration));
      }
      exitOnInternalError();
      run(configuration, FileOps.onDisk());
    } catch (IOException | GeneralSecurityException | MalformedMessage e) {
      System.err.println("agent: " + configuration + ": " + describe(configuration, e));
      System.exit(FATAL_CONFIGURATION);
    }
  }

  /// Ends the process as soon as an exception ends any of its threads: without that thread the agent would be heard,
  /// and do only a part of its work. The launcher starts the next one, which takes over as after a kill.
  private static void exitOnInternalError() {
    Thread.setDefaultUncaughtExceptionHandler((thread, e) -> {
      LOG.log(ERROR, "internal error in thread '" + thread.getName() + "'; the agent ends, to be started again", e);
      RunningAgent.exit(INTERNAL_ERROR);
    });
  }

  private static int runEnrolmentCommand(List<String> words) throws InterruptedException {
    try {
      deleteStartMarker();
      return JoinCommand.run(words);
    } catch (IOException | GeneralSecurityException | MalformedMessage e) {
      System.err.println("agent: " + e.getMessage());
      return FATAL_CONFIGURATION;
    }
  }

  private static int runHoldCommand(List<String> words) {
    try {
      deleteStartMarker();
      return HoldCommand.run(words);
    } catch (IOException e) {
      System.err.println("agent: " + e);
      return FATAL_CONFIGURATION;
    }
  }

  /// The launcher takes a file that is still there at the next start for a JVM that its cache has ended.
  private static void deleteStartMarker() throws IOException {
    @Nullable String starting = System.getProperty("uplift.starting");
    if (starting != null) {
      Files.deleteIfExists(Path.of(starting));
    }
  }

  /// A file system's own message is often no more than the name of the file.
  private static String describe(Path configuration, Exception e) {
    String text =
        switch (e) {
          case NoSuchFileException _ -> "there is no such file";
          case AccessDeniedException _ -> "may not be opened";
          default -> String.valueOf(e.getMessage());
        };
    return e instanceof FileSystemException it
            && it.getReason() == null
            && !configuration.toString().equals(it.getFile())
        ? it.getFile() + ": " + text
        : text;
  }

  /// Works on the host until the process is ended. Every change to the disk goes through `files`.
  ///
  /// @throws MalformedMessage where the configuration is wrong
  static void run(Path configuration, FileOps files)
      throws IOException, GeneralSecurityException, InterruptedException {
    AgentConfig config = AgentConfig.read(configuration);
    files.createFolders(config.stateFolder());
    restrictToOwner(files, config.stateFolder());
    TrustedTimeFloor time = TrustedTimeFloor.inFolder(files, config.stateFolder());
    configureTls(config, time);
    var _ = TrustStore.readInstalled(config.trustFolder(), config.tenant());
    String instance = newInstance();
    var agentState = new AgentState();
    var wire = new NatsTransport(transportSettings(config, instance, () -> agentState.state() == State.STANDBY));
    var runningAgent = new RunningAgent(version(), architecture(), agentState, wire::isConnected);
    HostContext hostContext = setup(config, files, instance, runningAgent);
    new SystemdNotifier(runningAgent.agentState(), config.heartbeatInterval()).start();
    HostLock lock = acquireLock(config, hostContext, wire);
    // Written by the previous agent, so not before that has ended.
    Path state = config.stateFolder();
    TrustStore trustStore = TrustStore.open(files, config.trustFolder(), state, config.tenant());
    time.setCeiling(() -> latestExpiry(config, trustStore));
    CommandJournal journal = CommandJournal.inFolder(files, state);
    var agent = new HostAgent(hostContext, trustStore, wire, journal, surroundings(config, files, hostContext, time));
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(() -> {
              agent.close();
              wire.close();
            }));
    agent.start();
    wire.start();
    HostIdentity hostIdentity = HostIdentity.beside(configuration.toAbsolutePath().resolveSibling(""));
    if (hostIdentity.exists()) {
      new CredentialsRenewal(hostIdentity, files).start(config.renewal(), wire::isConnected, time::floor);
    }
    while (lock.isHeld()) {
      new CountDownLatch(1).await();
    }
  }

  /// The state has addresses of artifacts and the output of programs.
  private static void restrictToOwner(FileOps files, Path stateFolder) {
    try {
      files.createPrivateFolder(stateFolder);
    } catch (IOException e) {
      LOG.log(WARNING, "{0} is open to other users of this host: {1}", stateFolder, e.toString());
    }
  }

  /// Returns when all that this host trusts has expired.
  private static Instant latestExpiry(AgentConfig config, TrustStore trustStore) {
    Instant root = trustStore.root().expiresAt();
    try {
      return config.caFile().isPresent()
          ? TrustedTimeFloor.later(root, TlsAuthorities.newestExpiry(config.caFile().get()))
          : root;
    } catch (IOException | GeneralSecurityException e) {
      LOG.log(WARNING, "{0} cannot be read: {1}", config.caFile().get(), e.toString());
      return root;
    }
  }

  /// If the agent is a package of its host, it waits in standby without a limit.
  private static HostLock acquireLock(AgentConfig config, HostContext hostContext, NatsTransport wire)
      throws IOException, InterruptedException {
    Optional<HostLock> free = HostLock.tryAcquire(config.stateFolder());
    if (free.isPresent()) {
      return free.get();
    }
    for (Map.Entry<String, HostPackage> each : hostContext.packages().entrySet()) {
      if (each.getValue().driver() instanceof AgentDriver own) {
        wire.start();
        return new Standby(hostContext, each.getKey(), wire, own.runFolder(), config.heartbeatInterval())
            .awaitTakeover(config.stateFolder());
      }
    }
    return HostLock.acquire(config.stateFolder(), LOCK_TIMEOUT);
  }

  private static HostContext setup(AgentConfig config, FileOps files, String instance, RunningAgent runningAgent)
      throws IOException {
    String bootId = Files.readString(config.bootIdFile()).strip();
    var host = new Host(config.tenant(), config.host(), files, () -> bootId);
    return new HostContext(
        config.tenant(),
        config.host(),
        instance,
        bootId,
        runningAgent.version(),
        runningAgent.architecture(),
        DriverFactory.open(config, host, config.stateFolder().resolve("packages"), runningAgent),
        runningAgent.agentState());
  }

  /// @param isAwaited whether another agent waits for this one
  static TransportSettings transportSettings(AgentConfig config, String instance, BooleanSupplier isAwaited) {
    return new TransportSettings(
        config.nats(),
        config.credentials(),
        config.user(),
        config.passwordFile(),
        "_INBOX." + config.tenant() + "." + config.host() + "." + instance,
        "uplift-agent " + config.tenant() + "." + config.host(),
        isAwaited);
  }

  /// Without TLS its classes are not loaded.
  static void configureTls(AgentConfig config, TrustedTimeFloor time) throws IOException, GeneralSecurityException {
    if (config.caFile().isPresent() || config.nats().contains("tls://")) {
      TlsAuthorities.trustOnly(config.caFile(), time::floor);
    }
  }

  private static HostEnvironment surroundings(
      AgentConfig config, FileOps files, HostContext hostContext, TrustedTimeFloor time) {
    var downloader = new Downloader(files, config.stateFolder().resolve("cache"), DownloadTimeouts.DEFAULTS);
    return new HostEnvironment(
        downloader::fetch,
        new RebootCommand(config.rebootCommand(), config.stateFolder().resolve("reboot.log")),
        AgentIntervals.defaults(config.heartbeatInterval()).withRebootTimeout(config.rebootTimeout()),
        DriverFactory.handoverOf(hostContext.packages()),
        DriverFactory.trialOf(hostContext.packages(), hostContext.bootId()),
        time,
        OwnerHolds.inFolder(files, config.stateFolder()),
        PackageHalts.inFolder(files, config.stateFolder(), System::nanoTime));
  }

  static String newInstance() {
    byte[] random = new byte[8];
    new SecureRandom().nextBytes(random);
    return HexFormat.of().formatHex(random);
  }

  static String version() {
    return Objects.requireNonNullElse(Agent.class.getPackage().getImplementationVersion(), "unknown");
  }

  /// As `uname -m` says it.
  static String architecture() {
    String name = System.getProperty("os.arch", "");
    return name.equals("amd64") ? "x86_64" : name;
  }
}
