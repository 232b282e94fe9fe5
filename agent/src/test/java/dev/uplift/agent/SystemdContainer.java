package dev.uplift.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.uplift.temporaldev.process.Reaper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A machine with a systemd of its own, whose disk is a copy of this one's that it loses when it is switched off, but
/// for the agent's folder and the stack's. Its network is this machine's.
///
/// Everything in it ends with it, because its first process is the container's.
final class SystemdContainer implements AutoCloseable {
  private static final Path UNITS = Path.of("src/main/dist/systemd").toAbsolutePath();
  private static final String START =
      """
      set -e
      mount --make-rprivate /
      mount -t tmpfs uplift "$1"
      mkdir "$1/changes" "$1/work" "$1/root"
      mount -t overlay uplift -o "lowerdir=/,upperdir=$1/changes,workdir=$1/work" "$1/root"
      shift
      exec systemd-nspawn "$@"
      """;

  final SelfUpgradingHost host;
  private final Path folder;
  private final Path stack;
  private @Nullable Process container;

  private SystemdContainer(SelfUpgradingHost host, Path folder, Path stack) {
    this.host = host;
    this.folder = folder;
    this.stack = stack;
  }

  /// The test is skipped where there can be none.
  ///
  /// @param timings of the units, that a test does not want to wait for
  static SystemdContainer of(SelfUpgradingHost host, Path folder, Path stack, Map<String, String> timings)
      throws Exception {
    assumeTrue(System.getProperty("user.name").equals("root"), "only root may boot a container");
    for (String each : List.of("/usr/bin/systemd-nspawn", "/lib/systemd/systemd", "/usr/bin/nsenter")) {
      assumeTrue(Files.isExecutable(Path.of(each)), "there is no " + each + " on this machine");
    }
    var systemdContainer = new SystemdContainer(host, folder, stack);
    systemdContainer.install(timings);
    return systemdContainer;
  }

  /// The units start with each boot.
  SystemdContainer enableUnits() throws IOException {
    enable("multi-user.target", "uplift-agent.service");
    enable("timers.target", "uplift-agent-check.timer");
    return this;
  }

  private void install(Map<String, String> timings) throws Exception {
    Path units = Files.createDirectories(folder.resolve("units"));
    Files.createDirectory(folder.resolve("disk"));
    try (Stream<Path> all = Files.list(UNITS)) {
      for (Path unit : all.toList()) {
        Files.copy(unit, units.resolve(unit.getFileName().toString()));
      }
    }
    for (Map.Entry<String, String> each : timings.entrySet()) {
      Path own = Files.createDirectory(units.resolve(each.getKey() + ".d"));
      Files.writeString(own.resolve("test.conf"), each.getValue());
    }
  }

  private void enable(String target, String unit) throws IOException {
    Path wants = Files.createDirectory(folder.resolve("units").resolve(target + ".wants"));
    Files.createSymbolicLink(wants.resolve(unit), Path.of("..", unit));
  }

  /// Returns when systemd has come up.
  SystemdContainer boot() throws IOException {
    var line = new ArrayList<>(List.of("unshare", "--mount", "sh", "-c", START, "machine", disk()));
    line.addAll(List.of("--quiet", "--boot", "--register=no", "--keep-unit"));
    line.addAll(List.of("--link-journal=no", "--directory=" + disk() + "/root"));
    line.add("--machine=" + host.host.id());
    line.add("--bind=" + folder.resolve("units") + ":/etc/systemd/system");
    line.add("--bind=" + host.host.agentFolder() + ":/opt/uplift-agent");
    line.add("--bind=" + stack);
    line.add("--bind=" + host.host.config() + ":/etc/uplift-agent/agent.json");
    container =
        Reaper.ofThisJvm()
            .start(
                new ProcessBuilder(line)
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("console").toFile())),
                "machine");
    await("systemd is up: " + folder)
        .ignoreExceptions()
        .until(() -> List.of("running", "degraded").contains(runSystemctl("is-system-running")));
    return this;
  }

  private String disk() {
    return folder.resolve("disk").toString();
  }

  /// Returns its output, whatever its exit code.
  String runSystemctl(String... words) throws IOException, InterruptedException {
    var line = new ArrayList<>(List.of("systemctl"));
    line.addAll(List.of(words));
    return run(line);
  }

  /// One property of the unit of a version.
  String unit(String version, String property) throws IOException, InterruptedException {
    return runSystemctl("show", "--value", "--property=" + property, "uplift-agent@" + version);
  }

  void signal(String version, String signal) throws IOException, InterruptedException {
    runSystemctl("kill", "--kill-who=main", "--signal=" + signal, "uplift-agent@" + version);
  }

  /// Returns the processes in the unit of a version.
  List<String> processNames(String version) throws IOException, InterruptedException {
    return run(List.of("sh", "-c", "cat /proc/" + unit(version, "MainPID") + "/comm")).lines().toList();
  }

  String journal() throws IOException, InterruptedException {
    return run(List.of("journalctl", "--no-pager", "--boot", "--unit=uplift-agent*"));
  }

  /// Returns its output, followed by its exit code.
  String runLauncher(String... words) throws IOException, InterruptedException {
    String line = "/opt/uplift-agent/launcher " + String.join(" ", words) + "; echo $?";
    return run(List.of("sh", "-c", line));
  }

  private String run(List<String> words) throws IOException, InterruptedException {
    var line = new ArrayList<>(List.of("nsenter", "-m", "-u", "-i", "-p", "-t"));
    line.add(Long.toString(firstProcess().orElseThrow(() -> new IOException("it is off")).pid()));
    line.addAll(words);
    Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    process.waitFor();
    return said;
  }

  /// Its first process, which is this one's only child.
  private Optional<ProcessHandle> firstProcess() {
    Process running = container;
    return running == null ? Optional.empty() : running.toHandle().children().findFirst();
  }

  /// It goes down in order. Returns when it has come up again.
  void reboot() throws Exception {
    Process running = container;
    runSystemctl("reboot", "--no-block");
    await("it goes down").until(() -> running == null || !running.isAlive());
    var _ = boot();
  }

  /// Every process of it ends.
  void powerOff() throws InterruptedException {
    Process running = container;
    if (running != null) {
      Optional<ProcessHandle> first = firstProcess();
      running.destroyForcibly().waitFor(60, TimeUnit.SECONDS);
      first.ifPresent(ProcessHandle::destroyForcibly);
      await("it is off").until(() -> first.filter(ProcessHandle::isAlive).isEmpty());
    }
  }

  @Override
  public void close() {
    try {
      powerOff();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
