import static dev.uplift.protocol.CommandAction.CANCEL;
import static dev.uplift.protocol.CommandAction.COMMIT;
import static dev.uplift.protocol.CommandAction.INSPECT;
import static dev.uplift.protocol.CommandAction.PREPARE;
import static dev.uplift.protocol.CommandAction.REBOOT;
import static dev.uplift.protocol.CommandAction.ROLLBACK;
import static dev.uplift.protocol.CommandAction.STOP;
import static dev.uplift.protocol.CommandAction.UPGRADE;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.protocol.Command;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.protocol.CommandResult;
import io.nats.client.impl.Headers;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Random;

/// Has an agent do all that it can do, over TLS, on the distribution as a device gets it.
///
/// `train NATS-SERVER ROOT VERSION FOLDER`: so that its JVM learns what to keep in its cache.
/// `measure NATS-SERVER ROOT VERSION FOLDER`: and says what it has cost; `measure-briefly` leaves
/// out what it costs while it is idle.
final class Rehearsal {
  private static final int BIG = 64 << 20;

  private final Site site;
  private final Path root;
  private final String version;
  private final Path folder;

  private Rehearsal(Site site, Path root, String version, Path folder) {
    this.site = site;
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
    try (Site site = new Site(folder.resolve("site"), args[1])) {
      var rehearsal = new Rehearsal(site, Path.of(args[2]).toRealPath(), args[3], folder);
      rehearsal.prepareHost();
      switch (args[0]) {
        case "train" -> rehearsal.train();
        case "measure" -> rehearsal.measure(true);
        case "measure-briefly" -> rehearsal.measure(false);
        default -> throw new IllegalArgumentException(args[0]);
      }
    }
    System.exit(0);
  }

  private void prepareHost() throws Exception {
    Path artifacts = Files.createDirectories(folder.resolve("site/artifacts"));
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
    site.admits(folder);
    Files.writeString(
        folder.resolve(name + ".json"),
        """
        {"state_folder":"state-%s","boot_id_file":"boot-id","reboot_command":["true"],
        "goes_down_s":1,"beat_s":%d,"renew_look_s":%d,
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
      work();
      odds();
      awaitBeats(3);
      Site.await("it renews its ticket", () -> Files.readString(folder.resolve("training.log"))
          .contains("next ticket"));
    } finally {
      agent.destroy();
      // What it has learnt is written after it has ended.
      agent.waitFor();
      System.out.print(Files.readString(folder.resolve("training.log")));
    }
  }

  /// What every agent does sooner or later.
  private void work() throws Exception {
    Map<String, String> none = Map.of();
    Map<String, String> service =
        Map.of("restart", "true", "health", "true", "unpacked_bytes", Integer.toString(BIG * 2));
    bring(site.release("shopd", "bundle", "1.0", "big.tar.gz", service), "big.tar.gz", "unknown");
    ReleaseManifest next = site.release("shopd", "bundle", "2.0", "small.tar.gz", service);
    bring(next, "small.tar.gz", "1.0");
    take(new Result.Done(), site.order(site.draft(ROLLBACK, next, "1.0")));
    ReleaseManifest tool = site.release("tool", "script", "2.0", "", none);
    bring(tool, "", "1.0");
    take(new Result.Done(), site.order(site.draft(ROLLBACK, tool, "1.0")));
    bring(site.release("played", "simulated", "2.0", "", none), "", "1.0");
  }

  private void bring(ReleaseManifest release, String file, String before) throws Exception {
    String to = release.version();
    var prepare = site.draft(PREPARE, release, to);
    var upgrade = site.draft(UPGRADE, release, to);
    if (!file.isEmpty()) {
      prepare.artifactUrl(site.artifactUrl(file));
      upgrade.digest(release.artifact().orElseThrow().sha256());
    }
    take(new Result.Done(), site.order(prepare));
    take(new Result.Done(), site.order(upgrade));
    take(new Result.Done(), site.order(site.draft(COMMIT, release, to)));
    take(new Result.Done(), site.order(site.draft(INSPECT, release, to)));
  }

  private static void take(Result wanted, Event answer) {
    Result found = ((Event.Outcome) answer.said()).result();
    if (!found.equals(wanted)) {
      throw new IllegalStateException("expected " + wanted + ", found " + answer);
    }
  }

  /// What goes wrong sooner or later.
  private void odds() throws Exception {
    ReleaseManifest wrong =
        site.release("shopd", "bundle", "3.0", "small.tar.gz", Map.of("health", "false", "health_s", "1"));
    var prepare = site.draft(PREPARE, wrong, "3.0").artifactUrl(site.artifactUrl("small.tar.gz"));
    take(new Result.Done(), site.order(prepare));
    var upgrade = site.draft(UPGRADE, wrong, "3.0").digest(wrong.artifact().orElseThrow().sha256());
    site.order(upgrade);
    take(new Result.Done(), site.order(site.draft(ROLLBACK, wrong, "1.0")));
    site.put("nonsense".getBytes(UTF_8), new Headers());
    ReleaseManifest slow =
        site.release("played", "simulated", "3.0", "", Map.of("prepare_ms", "60000"));
    Command waits = site.send(site.draft(PREPARE, slow, "3.0"));
    Site.await("it is begun", () -> site.count(message ->
        message.getSubject().endsWith(".upgrade")
            && new String(message.getData(), UTF_8).contains(waits.id())) > 0);
    site.send(site.draft(CANCEL, slow, "3.0").cancels(waits.id()));
    site.outcome(waits);
    Event seen = site.order(site.draft(INSPECT, slow, "3.0"));
    site.order(site.draft(REBOOT, slow, "3.0").expectingBoot(seen.bootId()));
    site.order(site.draft(STOP, slow, "3.0").to(seen.instance()));
    site.stopServer();
    Thread.sleep(3000);
    site.startServer();
    take(new Result.Done(), site.order(site.draft(INSPECT, slow, "3.0")));
  }

  private void awaitBeats(int more) throws Exception {
    long before = beats();
    Site.await("heartbeats", () -> beats() >= before + more);
  }

  private long beats() {
    return site.count(message -> message.getSubject().startsWith("device-heartbeat."));
  }

  private void measure(boolean idles) throws Exception {
    configure("measured", 30, 10);
    Process agent = start("measured");
    var footprint = new Footprint(agent.pid());
    try {
      Site.await("the first heartbeat", () -> beats() > 0);
      say("CPU to the first heartbeat, ms", footprint.cpuMillis());
      awaitIdle();
      footprint.sayMemory("connected, idle");
      work();
      footprint.sayPeak();
      awaitIdle();
      footprint.sayMemory("after work");
      if (idles) {
        double before = footprint.cpuMillis();
        Thread.sleep(60_000);
        say("idle, CPU in a minute, ms", footprint.cpuMillis() - before);
      }
      twoAtOnce(footprint);
      Thread.sleep(Integer.getInteger("rehearsal.stays_ms", 0));
    } finally {
      agent.destroy();
      agent.waitFor();
    }
  }

  /// Another start of the same beside it finds the lock taken, and stands by.
  private void twoAtOnce(Footprint first) throws Exception {
    Process second = start("measured");
    try {
      Site.await("the other stands by", () -> site.count(Rehearsal::isFromStandby) > 0);
      awaitIdle();
      Footprint other = new Footprint(second.pid());
      other.sayMemory("the one that stands by");
      say("two at once, proportional, MiB", first.pss() + other.pss());
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

  static void say(String what, double figure) {
    System.out.printf(java.util.Locale.ROOT, "%-45s %8.1f%n", what, figure);
  }
}
