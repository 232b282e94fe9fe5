package dev.uplift.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import dev.uplift.agent.driver.bundle.TarBuilder;
import dev.uplift.protocol.Action;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandDraft;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Heartbeat;
import dev.uplift.protocol.Heartbeat.State;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.temporaldev.Host;
import io.nats.client.Nats;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A host with the agent installed as on a device, and the launcher at work there. Its JVM is this
/// one's; where a version is to be broken, a script stands before it.
final class Installed implements AutoCloseable {
  private static final String REAL = "exec " + java() + " \"$@\"";

  final Host host;
  private final Site site;
  private final Path root;
  private final Map<String, String> settings =
      new HashMap<>(Map.of("standby_s", "20", "mode", "beside"));
  private @Nullable Process launcher;

  Installed(Site site, String name) throws Exception {
    this.site = site;
    host = site.stack.host(Site.TENANT, name);
    root = Files.createDirectories(host.packageFolder("uplift-agent"));
    Path script = root.resolve("launcher");
    Files.copy(Path.of("src/main/dist/launcher"), script);
    runtime("real", REAL);
    // Says in its self-test that all is well.
    runtime("crashes", "case \"$*\" in *--self-test*) " + REAL + " ;; esac; exit 1");
    runtime("hangs", "case \"$*\" in *--self-test*) " + REAL + " ;; esac; exec sleep 600");
    runtime("unfit", "echo no such library; exit 1");
    runtime("lost", lost());
    unpack("1.0.0", "real");
    Files.createSymbolicLink(root.resolve("current"), Path.of("versions/1.0.0"));
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /// With another configuration, in which NATS is where nobody is.
  private static String lost() {
    return """
    case "$*" in *--self-test*) %s ;; esac
    for last; do :; done
    sed 's,"nats://[^"]*","nats://127.0.0.1:1",' "$last" >"$last.lost"
    exec %s "$@".lost
    """
        .formatted(REAL, java());
  }

  private void runtime(String name, String body) throws IOException {
    Path java = root.resolve("runtimes").resolve(name).resolve("bin/java");
    Files.createDirectories(java.getParent());
    Files.writeString(java, "#!/bin/sh\n" + body + "\n");
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  Installed set(String name, String text) {
    settings.put(name, text);
    return this;
  }

  /// What a version consists of.
  private static Map<String, byte[]> parts(String version, String runtime) throws IOException {
    var parts = new TreeMap<String, byte[]>();
    parts.put("app/agent.jar", jar(Agent.class, version));
    parts.put("app/protocol.jar", jar(Command.class, version));
    parts.put("app/jnats.jar", jar(Nats.class, version));
    parts.put("app/jackson-core.jar", jar(tools.jackson.core.JsonParser.class, version));
    parts.put(
        "jvm.options", "-XX:+UseSerialGC\n-XX:TieredStopAtLevel=1\n-Xmx32m\n".getBytes(UTF_8));
    parts.put("runtime", (runtime + "\n").getBytes(UTF_8));
    var manifest = new StringBuilder();
    for (Map.Entry<String, byte[]> part : parts.entrySet()) {
      manifest.append(sha256(part.getValue())).append("  ").append(part.getKey()).append('\n');
    }
    parts.put("manifest", manifest.toString().getBytes(UTF_8));
    return parts;
  }

  /// Where the class comes from, as a jar. Of classes in a folder one is made.
  private static byte[] jar(Class<?> from, String version) throws IOException {
    Path source;
    try {
      source = Path.of(from.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IOException(e);
    }
    if (Files.isRegularFile(source)) {
      return Files.readAllBytes(source);
    }
    var manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, version);
    var bytes = new ByteArrayOutputStream();
    try (var jar = new JarOutputStream(bytes, manifest);
        Stream<Path> files = Files.walk(source)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".class")).toList()) {
        jar.putNextEntry(new JarEntry(source.relativize(file).toString()));
        jar.write(Files.readAllBytes(file));
      }
    }
    return bytes.toByteArray();
  }

  static byte[] archive(String version, String runtime) throws IOException {
    var tar = new TarBuilder();
    for (Map.Entry<String, byte[]> part : parts(version, runtime).entrySet()) {
      byte[] bytes = part.getValue();
      tar.entry(part.getKey(), '0', 0644, bytes.length, "").content(bytes);
    }
    return tar.tarGz();
  }

  private void unpack(String version, String runtime) throws IOException {
    Path home = root.resolve("versions").resolve(version);
    for (Map.Entry<String, byte[]> part : parts(version, runtime).entrySet()) {
      Path file = home.resolve(part.getKey());
      Files.createDirectories(file.getParent());
      Files.write(file, part.getValue());
    }
    Files.writeString(home.resolve("COMPLETE"), "");
  }

  static ReleaseManifest release(String version, byte[] archive) {
    return new ReleaseManifest(
        "uplift-agent",
        "agent",
        version,
        Long.parseLong(version.substring(0, 1)),
        Optional.of(new ReleaseManifest.Artifact(archive.length, sha256(archive))),
        new TreeMap<>(),
        List.of(),
        Instant.parse("2026-03-01T12:00:00Z"));
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /// The host boots.
  Installed boot() throws IOException {
    settings.put("folder", root.toString());
    host.has("uplift-agent", "agent", settings).with("beat_s", 1);
    host.has("shopd", "simulated", Map.of("version", "1.4.0"));
    var _ = host.configure();
    var builder =
        new ProcessBuilder("sh", root.resolve("launcher").toString(), "supervise")
            .redirectErrorStream(true)
            .redirectOutput(
                ProcessBuilder.Redirect.appendTo(root.resolve("launcher.log").toFile()));
    builder.environment().put("UPLIFT_AGENT_CONFIG", host.config().toString());
    launcher = builder.start();
    return this;
  }

  Event order(CommandDraft draft) throws Exception {
    return site.outcome(site.send(host, draft));
  }

  /// The one that works, once it does.
  String awaitWorking(String version) {
    return awaitInstance(State.RUNNING, version);
  }

  String awaitInstance(State state, String version) {
    return await(version + " is " + state)
        .until(
            () ->
                site.newestBeats(host).entrySet().stream()
                    .filter(each -> is(each.getValue(), state, version))
                    .map(Map.Entry::getKey)
                    .findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }

  private static boolean is(Heartbeat beat, State state, String version) {
    return beat.state() == state && beat.version("uplift-agent").equals(version);
  }

  CommandDraft stop(ReleaseManifest release, String instance) {
    return site.draft(Action.STOP, release).to(instance).reason("the new agent stands by");
  }

  /// The versions whose agents are alive.
  List<String> alive() throws IOException {
    var alive = new ArrayList<String>();
    for (Path file : agents()) {
      if (process(file).isPresent()) {
        alive.add(file.getFileName().toString().substring("agent.".length()));
      }
    }
    return alive;
  }

  private List<Path> agents() throws IOException {
    Path run = root.resolve("run");
    if (!Files.isDirectory(run)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(run)) {
      return all.filter(each -> each.getFileName().toString().matches("agent\\.[0-9.]+[0-9]"))
          .sorted()
          .toList();
    }
  }

  private static Optional<ProcessHandle> process(Path file) throws IOException {
    long pid = Long.parseLong(Files.readString(file).split(" ", -1)[0]);
    return ProcessHandle.of(pid).filter(ProcessHandle::isAlive);
  }

  void kill(String version) throws IOException {
    process(root.resolve("run/agent." + version)).ifPresent(ProcessHandle::destroyForcibly);
  }

  /// Every process of the host ends, the launcher too.
  void powerOff() throws IOException, InterruptedException {
    Process parent = launcher;
    if (parent != null) {
      parent.destroyForcibly().waitFor();
    }
    for (Path file : agents()) {
      process(file).ifPresent(ProcessHandle::destroyForcibly);
      Files.delete(file);
    }
  }

  String current() throws IOException {
    return Files.readSymbolicLink(root.resolve("current")).getFileName().toString();
  }

  boolean has(String file) {
    return Files.exists(root.resolve(file));
  }

  @Override
  public void close() throws IOException {
    try {
      powerOff();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
