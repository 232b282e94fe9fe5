package dev.uplift.agent.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/// The folder of a host with 1.0 in use, and the launcher in it.
final class LauncherHost {
  static final Path LAUNCHER = Path.of("src/main/dist/launcher").toAbsolutePath();

  /// A replacement for the JVM. It becomes another program, so that its process is the agent.
  private static final String AGENT =
      """
      #!/bin/sh
      cache=without
      for argument; do
        case $argument in
          join) echo "joined as left of acme"; exit "$(cat "$UPLIFT_AGENT_ROOT/joins")" ;;
          --self-test) echo "root 1"; exit "$(cat "$UPLIFT_AGENT_ROOT/tests")" ;;
          */app/*.jar) home=${argument%%/app/*} ;;
          -XX:AOTCache=*) cache=with ;;
        esac
      done
      echo "${home##*/} $$ $cache" >>"$UPLIFT_AGENT_ROOT/started"
      case $(cat "$home/does") in
        works) exec sleep 600 ;;
        crashes) exit 1 ;;
        refuses) exit 12 ;;
        restarts) echo works >"$home/does"; exit 10 ;;
      esac
      """;

  private final Path root;
  private final Path bootId;
  private final Path uptime;

  /// One start of an agent.
  record Start(String version, long pid, boolean withCache) {}

  /// How a run of the launcher ended.
  record Run(int exitCode, String output, String errors) {}

  LauncherHost(Path root) throws IOException {
    this.root = root;
    bootId = Files.writeString(root.resolve("boot-id"), "boot-1\n");
    uptime = Files.writeString(root.resolve("uptime"), "100.25 50.00\n");
    Files.copy(LAUNCHER, root.resolve("launcher"), StandardCopyOption.REPLACE_EXISTING);
    Files.copy(LAUNCHER.resolveSibling("operator-commands"), root.resolve("operator-commands"));
    script(root.resolve("runtimes/r1/bin/java"), AGENT);
    version("1.0", "works");
    link("current", "1.0");
    setJoinExitCode(0);
    setSelfTestExitCode(0);
  }

  /// Sets how the agent ends when it joins.
  void setJoinExitCode(int code) throws IOException {
    Files.writeString(root.resolve("joins"), code + "\n");
  }

  /// How a self-test ends.
  void setSelfTestExitCode(int code) throws IOException {
    Files.writeString(root.resolve("tests"), code + "\n");
  }

  Path root() {
    return root;
  }

  /// @param behavior `works`, `crashes`, `refuses` or `restarts`
  void version(String version, String behavior) throws IOException {
    Path home = root.resolve("versions").resolve(version);
    Files.createDirectories(home.resolve("app"));
    Files.writeString(home.resolve("app/agent.jar"), "jar of " + version);
    Files.writeString(home.resolve("agent.aot"), "cache of " + version);
    Files.writeString(home.resolve("jvm.options"), "# flags\n-Xmx24m\n");
    Files.writeString(home.resolve("runtime"), "r1\n");
    Files.writeString(home.resolve("manifest"), line(home, "app/agent.jar") + line(home, "agent.aot"));
    Files.writeString(home.resolve("does"), behavior);
    Files.writeString(home.resolve("COMPLETE"), "");
  }

  private static String line(Path home, String name) throws IOException {
    try {
      byte[] sum = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(home.resolve(name)));
      return HexFormat.of().formatHex(sum) + "  " + name + "\n";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  void setBehavior(String version, String behavior) throws IOException {
    Files.writeString(root.resolve("versions").resolve(version).resolve("does"), behavior);
  }

  void damage(String version, String file) throws IOException {
    Files.writeString(root.resolve("versions").resolve(version).resolve(file), "damaged");
  }

  /// As the agent's own driver leaves it: 2.0 in use, on trial, with 1.0 to go back to.
  void startTrial(String version, String before) throws IOException {
    trial(version, before);
    link("previous", before);
    link("current", version);
  }

  void trial(String version, String before) throws IOException {
    Files.writeString(
        root.resolve("trial"), "command=c1\nprevious=%s\nversion=%s\nwithin_seconds=3600\n".formatted(before, version));
  }

  void attempts(int count) throws IOException {
    Files.writeString(root.resolve("attempts"), "command=c1\ncount=%d\n".formatted(count));
  }

  void link(String name, String version) throws IOException {
    Path link = root.resolve(name);
    Files.deleteIfExists(link);
    Files.createSymbolicLink(link, Path.of("versions", version));
  }

  String current() throws IOException {
    return Files.readSymbolicLink(root.resolve("current")).getFileName().toString();
  }

  boolean has(String file) {
    return Files.exists(root.resolve(file));
  }

  String text(String file) throws IOException {
    return has(file) ? Files.readString(root.resolve(file)) : "";
  }

  void uptime(int seconds) throws IOException {
    Path fresh = Files.writeString(root.resolve("uptime.new"), seconds + ".00 50.00\n");
    Files.move(fresh, uptime, StandardCopyOption.ATOMIC_MOVE);
  }

  void reboot(int which) throws IOException {
    Files.writeString(bootId, "boot-" + which + "\n");
  }

  /// The launcher's one function for changes of the disk, with another body from now on.
  void overrideOp(String body) throws IOException {
    String script = Files.readString(LAUNCHER);
    String changed = script.replace("op() { \"$@\"; }", "op() { " + body + " }");
    if (changed.equals(script)) {
      throw new IllegalStateException("the launcher has no function op");
    }
    script(root.resolve("launcher"), changed);
  }

  /// It is killed before or after the n-th change of the disk.
  void crashAt(int change, boolean before) throws IOException {
    overrideOp(
        """
        ops=$((${ops:-0} + 1))
        [ %d:%b != "$ops:true" ] || kill -KILL $$
        "$@"; result=$?
        [ %d:%b != "$ops:false" ] || kill -KILL $$
        return $result;\
        """
            .formatted(change, before, change, before));
  }

  void restoreLauncher() throws IOException {
    Files.copy(LAUNCHER, root.resolve("launcher"), StandardCopyOption.REPLACE_EXISTING);
  }

  void script(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  Run run(String... words) throws IOException, InterruptedException {
    return runAs(root.resolve("launcher"), words);
  }

  /// @param script a link to it
  Run runAs(Path script, String... words) throws IOException, InterruptedException {
    Path said = root.resolve("said");
    Path complained = root.resolve("complained");
    Process process = builder(script, words).redirectOutput(said.toFile()).redirectError(complained.toFile()).start();
    int code = process.waitFor();
    return new Run(code, Files.readString(said).strip(), Files.readString(complained));
  }

  /// It supervises until it is ended. What it says goes to `launcher.log`.
  Process supervise() throws IOException {
    return builder(root.resolve("launcher"), "supervise")
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(root.resolve("launcher.log").toFile()))
        .start();
  }

  private ProcessBuilder builder(Path script, String... words) {
    String shell = Files.isExecutable(Path.of("/bin/dash")) ? "/bin/dash" : "/bin/sh";
    var builder = new ProcessBuilder(Stream.concat(Stream.of(shell, script.toString()), Stream.of(words)).toList());
    builder.environment().put("UPLIFT_AGENT_BOOT_ID", bootId.toString());
    builder.environment().put("UPLIFT_AGENT_UPTIME", uptime.toString());
    // Where a test plays systemd, its `systemctl` is found first.
    builder.environment().merge("PATH", "", (path, _) -> root.resolve("bin") + ":" + path);
    return builder;
  }

  List<Start> starts() throws IOException {
    return text("started")
        .lines()
        .map(line -> line.split(" ", -1))
        .map(word -> new Start(word[0], Long.parseLong(word[1]), word[2].equals("with")))
        .toList();
  }

  List<String> started() throws IOException {
    return starts().stream().map(Start::version).toList();
  }

  /// Those that have not ended.
  List<String> alive() throws IOException {
    return starts().stream()
        .filter(start -> ProcessHandle.of(start.pid()).filter(ProcessHandle::isAlive).isPresent())
        .map(Start::version)
        .toList();
  }

  void awaitAlive(String... versions) {
    await()
        .untilAsserted(() -> org.assertj.core.api.Assertions.assertThat(alive()).containsExactlyInAnyOrder(versions));
  }

  /// Ends what is left of it, as a power cut does.
  void powerOff() throws IOException {
    for (Start start : starts()) {
      ProcessHandle.of(start.pid()).filter(handle -> isOurs(handle)).ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  private static boolean isOurs(ProcessHandle handle) {
    try {
      String line = Files.readString(Path.of("/proc", Long.toString(handle.pid()), "cmdline"), UTF_8);
      return line.startsWith("sleep\u0000600") || line.contains("runtimes/r1/bin/java");
    } catch (IOException _) {
      // It has just ended.
      return false;
    }
  }
}
