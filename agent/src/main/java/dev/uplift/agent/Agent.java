package dev.uplift.agent;

import dev.uplift.agent.core.HostAgent;
import dev.uplift.agent.core.HostPackage;
import dev.uplift.agent.core.HostSetup;
import dev.uplift.agent.core.Surroundings;
import dev.uplift.agent.core.Tempo;
import dev.uplift.agent.core.Trust;
import dev.uplift.agent.download.Downloader;
import dev.uplift.agent.download.Patience;
import dev.uplift.agent.driver.Host;
import dev.uplift.agent.driver.Standing;
import dev.uplift.agent.driver.agent.AgentDriver;
import dev.uplift.agent.driver.agent.Self;
import dev.uplift.agent.files.FileOps;
import dev.uplift.agent.join.Identity;
import dev.uplift.agent.join.Renewal;
import dev.uplift.agent.link.Authorities;
import dev.uplift.agent.link.GoodTime;
import dev.uplift.agent.link.LinkSettings;
import dev.uplift.agent.link.NatsWire;
import dev.uplift.agent.ops.Ops;
import dev.uplift.protocol.Heartbeat.State;
import dev.uplift.protocol.MalformedMessage;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The agent's `main`: reads the configuration, puts the parts together, and works until it is
/// ended. Ends with 12 where the configuration is wrong, which no start after it can mend.
public final class Agent {
  private static final int FATAL_CONFIGURATION = 12;
  private static final int USAGE = 2;
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private Agent() {}

  public static void main(String[] args) throws InterruptedException {
    if (args.length == 1 && args[0].equals("--version")) {
      System.out.println(version());
      return;
    }
    List<String> words = List.of(args);
    if (JoinCommand.isOne(words)) {
      System.exit(joinOrRotate(words));
    }
    boolean tests = !words.isEmpty() && words.getFirst().equals("--self-test");
    List<String> rest = tests ? words.subList(1, words.size()) : words;
    if (rest.size() != 2 || !rest.getFirst().equals("--config")) {
      System.err.println(
          "usage: agent [--self-test] --config FILE | --version | " + JoinCommand.USAGE);
      System.exit(USAGE);
    }
    Path configuration = Path.of(rest.getLast());
    try {
      hasStarted();
      if (tests) {
        System.exit(SelfTest.run(configuration));
      }
      run(configuration, FileOps.onDisk());
    } catch (IOException | GeneralSecurityException | MalformedMessage e) {
      System.err.println("agent: " + configuration + ": " + complaint(configuration, e));
      System.exit(FATAL_CONFIGURATION);
    }
  }

  private static int joinOrRotate(List<String> words) throws InterruptedException {
    try {
      hasStarted();
      return JoinCommand.run(words);
    } catch (IOException | GeneralSecurityException | MalformedMessage e) {
      System.err.println("agent: " + e.getMessage());
      return FATAL_CONFIGURATION;
    }
  }

  /// The launcher takes a file that is still there at the next start for a JVM that its cache has
  /// ended.
  private static void hasStarted() throws IOException {
    @Nullable String starting = System.getProperty("uplift.starting");
    if (starting != null) {
      Files.deleteIfExists(Path.of(starting));
    }
  }

  /// A file system's own message is often no more than the name of the file.
  private static String complaint(Path configuration, Exception e) {
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
    GoodTime time = GoodTime.in(files, config.stateFolder());
    vouch(config, time);
    var _ = Trust.installed(config.trustFolder(), config.tenant());
    String instance = newInstance();
    var standing = new Standing();
    var wire = new NatsWire(link(config, instance, () -> standing.state() == State.STANDBY));
    var self = new Self(version(), architecture(), standing, wire::isConnected);
    HostSetup setup = setup(config, files, instance, self);
    new InitSystem(self.standing(), config.beat()).start();
    HostLock lock = lock(config, setup, wire);
    // What the agent before this one has left, so not before it has ended.
    Path state = config.stateFolder();
    Trust trust = Trust.open(files, config.trustFolder(), state, config.tenant());
    Ops ops = Ops.inFolder(files, state);
    var agent = new HostAgent(setup, trust, wire, ops, surroundings(config, files, setup, time));
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(() -> {
              agent.close();
              wire.close();
            }));
    agent.start();
    wire.start();
    Identity identity = Identity.beside(configuration.toAbsolutePath().resolveSibling(""));
    if (identity.isThere()) {
      new Renewal(identity, files).start(config.renewal(), wire::isConnected, time::floor);
    }
    while (lock.isHeld()) {
      new CountDownLatch(1).await();
    }
  }

  /// Where the agent is a package of its host, it waits for its turn as long as it takes.
  private static HostLock lock(AgentConfig config, HostSetup setup, NatsWire wire)
      throws IOException, InterruptedException {
    Optional<HostLock> free = HostLock.tryTake(config.stateFolder());
    if (free.isPresent()) {
      return free.get();
    }
    for (Map.Entry<String, HostPackage> each : setup.packages().entrySet()) {
      if (each.getValue().driver() instanceof AgentDriver own) {
        wire.start();
        return new Standby(setup, each.getKey(), wire, own.run(), config.beat())
            .await(config.stateFolder());
      }
    }
    return HostLock.take(config.stateFolder(), PATIENCE);
  }

  private static HostSetup setup(AgentConfig config, FileOps files, String instance, Self self)
      throws IOException {
    String bootId = Files.readString(config.bootIdFile()).strip();
    var host = new Host(config.tenant(), config.host(), files, () -> bootId);
    return new HostSetup(
        config.tenant(),
        config.host(),
        instance,
        bootId,
        self.version(),
        self.architecture(),
        Drivers.open(config, host, config.stateFolder().resolve("packages"), self),
        self.standing());
  }

  /// @param isAwaited whether another agent waits for this one
  static LinkSettings link(AgentConfig config, String instance, BooleanSupplier isAwaited) {
    return new LinkSettings(
        config.nats(),
        config.credentials(),
        config.user(),
        config.passwordFile(),
        "_INBOX." + config.tenant() + "." + config.host() + "." + instance,
        "uplift-agent " + config.tenant() + "." + config.host(),
        isAwaited);
  }

  /// Where nothing speaks TLS the classes for it are not loaded.
  static void vouch(AgentConfig config, GoodTime time)
      throws IOException, GeneralSecurityException {
    if (config.authorities().isPresent() || config.nats().contains("tls://")) {
      Authorities.trustOnly(config.authorities(), time::floor);
    }
  }

  private static Surroundings surroundings(
      AgentConfig config, FileOps files, HostSetup setup, GoodTime time) {
    var downloader = new Downloader(files, config.stateFolder().resolve("cache"), Patience.USUAL);
    return new Surroundings(
        downloader::fetch,
        new RebootCommand(config.rebootCommand(), config.stateFolder().resolve("reboot.log")),
        Tempo.beating(config.beat()).goingDownWithin(config.goesDown()),
        Drivers.successionIn(setup.packages()),
        time);
  }

  static String newInstance() {
    byte[] random = new byte[8];
    new SecureRandom().nextBytes(random);
    return HexFormat.of().formatHex(random);
  }

  static String version() {
    return Objects.requireNonNullElse(
        Agent.class.getPackage().getImplementationVersion(), "unknown");
  }

  /// As `uname -m` says it.
  static String architecture() {
    String name = System.getProperty("os.arch", "");
    return name.equals("amd64") ? "x86_64" : name;
  }
}
