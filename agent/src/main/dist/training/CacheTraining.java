import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.protocol.Command;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Order;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.protocol.CommandResult;
import io.nats.client.impl.Headers;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.Random;

/// Has an agent do all that it can do, over TLS, on the distribution as a device gets it.
///
/// `train NATS-SERVER ROOT VERSION FOLDER`: so that its JVM learns what to keep in its cache.
/// `measure NATS-SERVER ROOT VERSION FOLDER`: and says what it has cost; `measure-briefly` leaves
/// out what it costs while it is idle.
final class CacheTraining {
  private static final int BIG = 64 << 20;

  private final TrainingServer server;
  private final Path root;
  private final String version;
  private final Path folder;

  private CacheTraining(TrainingServer server, Path root, String version, Path folder) {
    this.server = server;
    this.root = root;
    this.version = version;
    this.folder = folder;
  }

  public static void main(String[] args) throws Exception {
    if (args.length != 5) {
      System.err.println("expected train|measure|measure-briefly NATS-SERVER ROOT VERSION FOLDER");
      System.exit(2);
    }
    Path folder = Files.createDirectories(Path.of(args[4])).toRealPath();
    try (TrainingServer server = new TrainingServer(folder.resolve("server"), args[1])) {
      var training = new CacheTraining(server, Path.of(args[2]).toRealPath(), args[3], folder);
      training.prepareHost();
      switch (args[0]) {
        case "train" -> training.train();
        case "measure" -> training.measure(true);
        case "measure-briefly" -> training.measure(false);
        default -> throw new IllegalArgumentException(args[0]);
      }
    }
    System.exit(0);
  }

  private void prepareHost() throws Exception {
    Path artifacts = Files.createDirectories(folder.resolve("server/artifacts"));
    archive(artifacts.resolve("big.tar.gz"), BIG);
    archive(artifacts.resolve("small.tar.gz"), 1 << 16);
    Path scripts = Files.createDirectories(folder.resolve("scripts"));
    Files.writeString(folder.resolve("tool.version"), "1.0");
    String file = folder.resolve("tool.version").toString();
    script(scripts.resolve("inspect"), "echo version=$(cat " + file + ")");
    script(scripts.resolve("prepare"), "echo prepares $1");
    script(scripts.resolve("upgrade"), "echo $1 >" + file);
    script(scripts.resolve("commit"), "echo commits");
    script(scripts.resolve("rollback"), "echo $1 >" + file);
    Files.writeString(folder.resolve("boot-id"), "boot-1\n");
  }

  private static void script(Path script, String body) throws Exception {
    Files.writeString(script, "#!/bin/sh\n" + body + "\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static void archive(Path to, int bytes) throws Exception {
    Path content = Files.createDirectories(to.resolveSibling(to.getFileName() + ".content"));
    byte[] some = new byte[1 << 16];
    try (OutputStream out = Files.newOutputStream(content.resolve("data"))) {
      var random = new Random(1);
      for (int written = 0; written < bytes; written += some.length) {
        random.nextBytes(some);
        out.write(some);
      }
    }
    run("tar", "-czf", to.toString(), "-C", content.toString(), ".");
  }

  private static void run(String... line) throws Exception {
    if (new ProcessBuilder(line).inheritIO().start().waitFor() != 0) {
      throw new IllegalStateException(String.join(" ", line) + " failed");
    }
  }

  /// The ticket of the host is old, and the agent is to ask for the next one after this time.
  private void configure(String name, int beat, int renewS) throws Exception {
    server.writeIdentity(folder);
    Files.writeString(
        folder.resolve(name + ".json"),
        """
        {"state_folder":"state-%s","boot_id_file":"boot-id","reboot_command":["true"],
        "reboot_timeout_seconds":1,"heartbeat_seconds":%d,"renew_check_seconds":%d,
        "packages":{
        "uplift-agent":{"kind":"agent","folder":"%s"},
        "shopd":{"kind":"bundle","folder":"shopd-%s"},
        "tool":{"kind":"script","folder":"scripts"},
        "played":{"kind":"simulated","version":"1.0"}}}
        """.formatted(name, beat, renewS, root, name));
  }

  private Process start(String name) throws Exception {
    var builder =
        new ProcessBuilder("sh", root.resolve("launcher").toString(), "run", version)
            .redirectErrorStream(true)
            .redirectOutput(
                ProcessBuilder.Redirect.appendTo(folder.resolve(name + ".log").toFile()));
    builder.environment().put("UPLIFT_AGENT_CONFIG", folder.resolve(name + ".json").toString());
    builder.environment().put("UPLIFT_AGENT_RUN", folder.resolve("run").toString());
    return builder.start();
  }

  private void train() throws Exception {
    configure("training", 1, 1);
    Process agent = start("training");
    try {
      runNormalCommands();
      runFailures();
      awaitBeats(3);
      TrainingServer.await("it renews its ticket", () -> Files.readString(folder.resolve("training.log"))
          .contains("renewed the host's NATS user JWT"));
    } finally {
      agent.destroy();
      // The cache is written after it has ended.
      agent.waitFor();
      System.out.print(Files.readString(folder.resolve("training.log")));
    }
  }

  /// Does everything that an agent does sooner or later.
  private void runNormalCommands() throws Exception {
    Map<String, String> none = Map.of();
    Map<String, String> service =
        Map.of("restart", "true", "health", "true", "unpacked_bytes", Integer.toString(BIG * 2));
    upgradeTo(server.release("shopd", "bundle", "1.0", "big.tar.gz", service), "big.tar.gz", "unknown");
    ReleaseManifest next = server.release("shopd", "bundle", "2.0", "small.tar.gz", service);
    upgradeTo(next, "small.tar.gz", "1.0");
    requireResult(new CommandResult.Done(), rollBack(next));
    ReleaseManifest tool = server.release("tool", "script", "2.0", "", none);
    upgradeTo(tool, "", "1.0");
    requireResult(new CommandResult.Done(), rollBack(tool));
    upgradeTo(server.release("played", "simulated", "2.0", "", none), "", "1.0");
  }

  private void upgradeTo(ReleaseManifest release, String file, String before) throws Exception {
    String to = release.version();
    requireResult(new CommandResult.Done(), prepareAndUpgrade(release, file));
    requireResult(new CommandResult.Done(),
        server.sendAndAwait(release, to, new Order.Commit(server.signed(release))));
    requireResult(new CommandResult.Done(), server.sendAndAwait(release, to, new Order.Inspect()));
  }

  /// Returns how the upgrade ended.
  private Event prepareAndUpgrade(ReleaseManifest release, String file) throws Exception {
    String url = file.isEmpty() ? "" : server.artifactUrl(file);
    String digest = release.artifact().map(ReleaseManifest.Artifact::sha256).orElse("");
    requireResult(new CommandResult.Done(), server.sendAndAwait(release, release.version(),
        new Order.Prepare(server.signed(release), url, false)));
    return server.sendAndAwait(release, release.version(),
        new Order.Upgrade(server.signed(release), digest, false));
  }

  private Event rollBack(ReleaseManifest release) throws Exception {
    return server.sendAndAwait(release, "1.0", new Order.Rollback(server.signed(release)));
  }

  private static void requireResult(CommandResult wanted, Event answer) {
    CommandResult found = ((Event.Outcome) answer.content()).result();
    if (!found.equals(wanted)) {
      throw new IllegalStateException("expected " + wanted + ", found " + answer);
    }
  }

  /// Has everything fail that fails sooner or later.
  private void runFailures() throws Exception {
    ReleaseManifest wrong =
        server.release("shopd", "bundle", "3.0", "small.tar.gz", Map.of("health", "false", "health_timeout_seconds", "1"));
    prepareAndUpgrade(wrong, "small.tar.gz");
    requireResult(new CommandResult.Done(), rollBack(wrong));
    server.publishRaw("nonsense".getBytes(UTF_8), new Headers());
    ReleaseManifest slow =
        server.release("played", "simulated", "3.0", "", Map.of("prepare_ms", "60000"));
    Command waits = server.send(slow, "3.0", "",
        new Order.Prepare(server.signed(slow), "", false));
    TrainingServer.await("it is begun", () -> server.count(message ->
        message.getSubject().endsWith(".upgrade")
            && new String(message.getData(), UTF_8).contains(waits.id())) > 0);
    server.send(slow, "3.0", "", new Order.Cancel(waits.id(), ""));
    server.outcome(waits);
    Event seen = server.sendAndAwait(slow, "3.0", new Order.Inspect());
    server.sendAndAwait(slow, "3.0", new Order.Reboot(seen.bootId()));
    server.outcome(server.send(slow, "3.0", seen.instance(), new Order.Stop("", Duration.ZERO)));
    server.stopServer();
    Thread.sleep(3000);
    server.startServer();
    requireResult(new CommandResult.Done(), server.sendAndAwait(slow, "3.0", new Order.Inspect()));
  }

  private void awaitBeats(int more) throws Exception {
    long before = beats();
    TrainingServer.await("heartbeats", () -> beats() >= before + more);
  }

  private long beats() {
    return server.count(message -> message.getSubject().startsWith("device-heartbeat."));
  }

  private void measure(boolean idles) throws Exception {
    configure("measured", 30, 10);
    Process agent = start("measured");
    var usage = new ProcessUsage(agent.pid());
    try {
      TrainingServer.await("the first heartbeat", () -> beats() > 0);
      printFigure("CPU to the first heartbeat, ms", usage.cpuMillis());
      awaitIdle();
      usage.printMemory("connected, idle");
      runNormalCommands();
      usage.printPeak();
      awaitIdle();
      usage.printMemory("after work");
      if (idles) {
        double before = usage.cpuMillis();
        Thread.sleep(60_000);
        printFigure("idle, CPU in a minute, ms", usage.cpuMillis() - before);
      }
      measureTwoAgents(usage);
      Thread.sleep(Integer.getInteger("training.linger_ms", 0));
    } finally {
      agent.destroy();
      agent.waitFor();
    }
  }

  /// Another start of the same beside it finds the lock taken, and stands by.
  private void measureTwoAgents(ProcessUsage first) throws Exception {
    Process second = start("measured");
    try {
      TrainingServer.await("the other stands by", () -> server.count(CacheTraining::isFromStandby) > 0);
      awaitIdle();
      ProcessUsage other = new ProcessUsage(second.pid());
      other.printMemory("the one that stands by");
      printFigure("two at once, proportional, MiB", first.pss() + other.pss());
    } finally {
      second.destroy();
      second.waitFor();
    }
  }

  private static boolean isFromStandby(io.nats.client.Message message) {
    return message.getSubject().startsWith("device-heartbeat.")
        && new String(message.getData(), UTF_8).contains("standby");
  }

  /// Until what is given back is given back.
  private static void awaitIdle() throws Exception {
    Thread.sleep(12_000);
  }

  static void printFigure(String what, double figure) {
    System.out.printf(java.util.Locale.ROOT, "%-45s %8.1f%n", what, figure);
  }
}
