package dev.uplift.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.protocol.WireErrorClass;
import dev.uplift.temporaldev.stack.StackHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Agents as processes, with the worker that `docs/drivers.md` shows. The commands that it calls are played: what is
/// installed runs after the next boot.
final class WorkerProcessTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Path PAGE = Path.of("../docs/drivers.md");
  private static final String DOWNLOAD = "apt-get -qy --download-only dist-upgrade";
  private static final String INSTALL = "apt-get -qy dist-upgrade";
  private static AgentTestbed testbed;

  private final List<StackHost> started = new ArrayList<>();

  @BeforeAll
  static void open() throws Exception {
    Assumptions.assumeTrue(hasPython(), "there is no python3 on this machine, which the worker of the page needs");
    testbed = AgentTestbed.open();
  }

  private static boolean hasPython() {
    return List.of(System.getenv("PATH").split(":", -1)).stream()
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "python3")));
  }

  @AfterAll
  static void close() {
    if (testbed != null) {
      testbed.close();
    }
  }

  /// So that those of the next test have the machine for themselves.
  @AfterEach
  void endAgents() {
    started.forEach(StackHost::kill);
  }

  /// AV-20, AV-26, AV-29, AV-35, AV-37, AV-39, AV-40, AV-41, AV-44, AV-45.
  @Test
  void theWorkerOfThePageUpgradesAndRebootsItsHost() throws Exception {
    StackHost host = started(hostWithWorker("whole"));
    testbed.awaitHeartbeat(host, heartbeat -> heartbeat.version("os").equals("22.04"));
    String before = host.bootId();

    assertThat(result(send(host, CommandAction.PREPARE))).isEqualTo(new CommandResult.Done());
    assertThat(result(send(host, CommandAction.UPGRADE))).isEqualTo(new CommandResult.RebootRequired());
    Command reboot = testbed.send(host, testbed.draft(CommandAction.REBOOT).target("os", "24.04").expectBoot(before));

    Event back = testbed.outcome(reboot);
    assertThat(((Event.Outcome) back.content()).result()).isEqualTo(new CommandResult.Done());
    assertThat(back.bootId()).isEqualTo(host.bootId()).isNotEqualTo(before);
    testbed.awaitHeartbeat(
        host, heartbeat -> heartbeat.version("os").equals("24.04") && heartbeat.bootId().equals(host.bootId()));
    assertThat(effects(host)).containsExactly(DOWNLOAD, INSTALL, "systemctl reboot", "boot");
  }

  /// AV-28, AV-38.
  @Test
  void whatTheWorkerOfThePageCannotDoIsItsError() throws Exception {
    StackHost host = hostWithWorker("failing");
    command(host, "apt-get", "echo E: no mirror is reachable >&2; exit 100");
    started(host);

    assertThat(result(send(host, CommandAction.PREPARE)))
        .isEqualTo(new CommandResult.Failed("worker-failed", WireErrorClass.FINAL, "E: no mirror is reachable"));
  }

  /// AV-8, AV-21: the worker is not even started.
  @Test
  void aPrepareThatIsTooLateIsNotGivenToTheWorker() throws Exception {
    StackHost host = started(hostWithWorker("late"));
    Instant now = Instant.now();

    Command late =
        testbed.send(
            host,
            testbed.draft(CommandAction.PREPARE, release()).times(now.minusSeconds(7200), now.minusSeconds(3600)));

    assertThat(code(result(late))).isEqualTo("expired");
    assertThat(effects(host)).isEmpty();
  }

  /// AV-33.
  @Test
  void thereIsNoUpgradeWithoutAPrepare() throws Exception {
    StackHost host = started(hostWithWorker("unprepared"));

    assertThat(code(result(send(host, CommandAction.UPGRADE)))).isEqualTo("not-prepared");
    assertThat(effects(host)).isEmpty();
  }

  /// AV-48, AV-49: at the start, and in between.
  @Test
  void aVersionThatChangesByItselfIsReported() throws Exception {
    StackHost host = started(hostWithWorker("changing"));
    testbed.awaitHeartbeat(host, heartbeat -> heartbeat.version("os").equals("22.04"));

    Files.writeString(host.packageFolder("os").resolve("running"), "22.10\n");

    testbed.awaitHeartbeat(host, heartbeat -> heartbeat.version("os").equals("22.10"));
  }

  /// AV-6, AV-7, AV-15.
  @Test
  void anAgentThatIsKilledMeanwhileAnswersOnce() throws Exception {
    StackHost host = started(hostWithWorker("killed"));
    assertThat(result(send(host, CommandAction.PREPARE))).isEqualTo(new CommandResult.Done());
    Path hold = Files.createFile(host.packageFolder("os").resolve("hold"));
    Command upgrade = send(host, CommandAction.UPGRADE);
    await().atMost(TIMEOUT).until(() -> effects(host).contains(INSTALL));

    host.kill();
    Files.delete(hold);
    host.start();

    assertThat(result(upgrade)).isEqualTo(new CommandResult.RebootRequired());
    var _ = testbed.outcome(testbed.send(host, testbed.draft(CommandAction.INSPECT).target("os", "24.04")));
    assertThat(testbed.storedOutcomes(upgrade)).hasSize(1);
    assertThat(effects(host)).containsExactly(DOWNLOAD, INSTALL);
  }

  private StackHost started(StackHost host) {
    started.add(host);
    host.start();
    return host;
  }

  /// Its own reboot command fails: only the worker can reboot it.
  private static StackHost hostWithWorker(String name) throws IOException {
    StackHost host = testbed.stack.host(AgentTestbed.TENANT, name);
    Path folder = Files.createDirectories(host.packageFolder("os"));
    executable(folder.resolve("worker"), workerOfThePage());
    Files.writeString(folder.resolve("running"), "22.04\n");
    Files.writeString(folder.resolve("effects"), "");
    command(host, "lsb_release", "cat running");
    command(
        host,
        "apt-get",
        "echo apt-get \"$@\" >>effects; case $* in *--download-only*) exit 0 ;; esac",
        "while [ -e hold ]; do sleep 0.05; done; echo 24.04 >installed");
    command(host, "systemctl", "echo systemctl \"$@\" >>effects", "exec sh ../../reboot");
    executable(
        folder.resolve("boot"),
        "#!/bin/sh\ncd '" + folder + "'; [ ! -e installed ] || { mv installed running; echo boot >>effects; }\n");
    return host.withPackage("os", "worker", Map.of())
        .onBoot(folder.resolve("boot").toString())
        .setting("reboot_command", List.of("false"))
        .setting("heartbeat_seconds", 1)
        .environment("PATH", folder.resolve("bin") + ":" + System.getenv("PATH"));
  }

  private static void command(StackHost host, String name, String... lines) throws IOException {
    Path folder = host.packageFolder("os");
    Files.createDirectories(folder.resolve("bin"));
    executable(
        folder.resolve("bin").resolve(name),
        "#!/bin/sh\ncd '" + folder + "' || exit 1\n" + String.join("\n", lines) + "\n");
  }

  private static void executable(Path file, String text) throws IOException {
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static String workerOfThePage() throws IOException {
    String page = Files.readString(PAGE);
    String fence = "```python\n";
    int from = page.indexOf(fence) + fence.length();
    String program = page.substring(from, page.indexOf("```", from));
    assertThat(program).startsWith("#!/usr/bin/env python3\n");
    assertThat(program.lines().count()).isBetween(15L, 30L);
    return program;
  }

  private static List<String> effects(StackHost host) throws IOException {
    return Files.readAllLines(host.packageFolder("os").resolve("effects"));
  }

  private static Command send(StackHost host, CommandAction commandAction) throws Exception {
    return testbed.send(host, testbed.draft(commandAction, release()));
  }

  private static ReleaseManifest release() {
    return new ReleaseManifest(
        "os",
        "worker",
        "24.04",
        42,
        Optional.empty(),
        new TreeMap<>(),
        List.of(),
        Instant.parse("2026-03-01T12:00:00Z"));
  }

  private static CommandResult result(Command command) {
    return ((Event.Outcome) testbed.outcome(command).content()).result();
  }

  private static String code(CommandResult commandResult) {
    return commandResult instanceof CommandResult.Failed failed ? failed.code() : commandResult.toString();
  }
}
