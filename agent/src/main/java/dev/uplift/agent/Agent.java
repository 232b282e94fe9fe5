package dev.uplift.agent;

import dev.uplift.agent.core.HostAgent;
import dev.uplift.agent.core.HostSetup;
import dev.uplift.agent.core.Surroundings;
import dev.uplift.agent.core.Tempo;
import dev.uplift.agent.core.Trust;
import dev.uplift.agent.download.Downloader;
import dev.uplift.agent.download.Patience;
import dev.uplift.agent.driver.Host;
import dev.uplift.agent.files.FileOps;
import dev.uplift.agent.link.Authorities;
import dev.uplift.agent.link.LinkSettings;
import dev.uplift.agent.link.NatsWire;
import dev.uplift.agent.ops.Ops;
import dev.uplift.protocol.MalformedMessage;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.random.RandomGenerator;

/// The agent's `main`: reads the configuration, puts the parts together, and works until it is
/// ended. Ends with 12 where the configuration is wrong, which no start after it can mend.
public final class Agent {
  private static final int FATAL_CONFIGURATION = 12;
  private static final int USAGE = 2;
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private Agent() {}

  public static void main(String[] args) throws InterruptedException {
    System.setProperty(
        "java.util.logging.SimpleFormatter.format", "%1$tFT%1$tT.%1$tL %4$s %5$s%6$s%n");
    if (args.length == 1 && args[0].equals("--version")) {
      System.out.println(version());
      return;
    }
    if (args.length != 2 || !args[0].equals("--config")) {
      System.err.println("usage: agent --config FILE | --version");
      System.exit(USAGE);
    }
    try {
      run(Path.of(args[1]), FileOps.onDisk());
    } catch (IOException | GeneralSecurityException | MalformedMessage e) {
      System.err.println("agent: " + args[1] + ": " + complaint(Path.of(args[1]), e));
      System.exit(FATAL_CONFIGURATION);
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
    if (config.authorities().isPresent()) {
      Authorities.trustOnly(config.authorities().get());
    }
    files.createFolders(config.stateFolder());
    HostLock lock = HostLock.take(config.stateFolder(), PATIENCE);
    Trust trust = Trust.read(config.trustFolder());
    HostSetup setup = setup(config, files);
    Ops ops = Ops.inFolder(files, config.stateFolder());
    var wire = new NatsWire(link(config, setup.instance()));
    var agent = new HostAgent(setup, trust, wire, ops, surroundings(config, files));
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(() -> {
              agent.close();
              wire.close();
            }));
    agent.start();
    wire.start();
    while (lock.isHeld()) {
      new CountDownLatch(1).await();
    }
  }

  private static HostSetup setup(AgentConfig config, FileOps files) throws IOException {
    String bootId = Files.readString(config.bootIdFile()).strip();
    var host = new Host(config.tenant(), config.host(), files, () -> bootId);
    return new HostSetup(
        config.tenant(),
        config.host(),
        newInstance(),
        bootId,
        version(),
        architecture(),
        Drivers.open(config, host, config.stateFolder().resolve("packages")));
  }

  private static LinkSettings link(AgentConfig config, String instance) {
    return new LinkSettings(
        config.nats(),
        config.user(),
        config.passwordFile(),
        "_INBOX." + config.tenant() + "." + instance,
        "uplift-agent " + config.tenant() + "." + config.host());
  }

  private static Surroundings surroundings(AgentConfig config, FileOps files) {
    var downloader = new Downloader(files, config.stateFolder().resolve("cache"), Patience.USUAL);
    return new Surroundings(
        downloader::fetch,
        new RebootCommand(config.rebootCommand(), config.stateFolder().resolve("reboot.log")),
        Tempo.beating(config.beat()).goingDownWithin(config.goesDown()));
  }

  private static String newInstance() {
    byte[] random = new byte[8];
    RandomGenerator.getDefault().nextBytes(random);
    return HexFormat.of().formatHex(random);
  }

  private static String version() {
    return Objects.requireNonNullElse(
        Agent.class.getPackage().getImplementationVersion(), "unknown");
  }

  /// As `uname -m` says it.
  private static String architecture() {
    String name = System.getProperty("os.arch", "");
    return name.equals("amd64") ? "x86_64" : name;
  }
}
