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
import dev.uplift.testservers.DocumentedWorker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Agents as processes, with the worker that `docs/drivers.md` shows.
final class WorkerProcessTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static AgentTestbed testbed;

  private final List<StackHost> started = new ArrayList<>();

  @BeforeAll
  static void open() throws Exception {
    Assumptions.assumeTrue(
        DocumentedWorker.hasInterpreter(), "there is no python3 on this machine, which the worker of the page needs");
    testbed = AgentTestbed.open();
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
    StackHost host = host("whole");
    DocumentedWorker worker = DocumentedWorker.on(host);
    start(host);
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
    assertThat(worker.effects()).isEqualTo(DocumentedWorker.EACH_ONCE);
  }

  @Test
  void theWorkerOfThePageIsAboutTwentyLines() throws Exception {
    assertThat(DocumentedWorker.program()).startsWith("#!/usr/bin/env python3\n");
    assertThat(DocumentedWorker.program().lines().count()).isBetween(15L, 30L);
  }

  /// AV-28, AV-38.
  @Test
  void whatTheWorkerOfThePageCannotDoIsItsError() throws Exception {
    StackHost host = host("failing");
    DocumentedWorker.on(host).command("apt-get", "echo E: no mirror is reachable >&2; exit 100");
    start(host);

    assertThat(result(send(host, CommandAction.PREPARE)))
        .isEqualTo(new CommandResult.Failed("worker-failed", WireErrorClass.FINAL, "E: no mirror is reachable"));
  }

  /// AV-8, AV-21: the worker is not even started.
  @Test
  void aPrepareThatIsTooLateIsNotGivenToTheWorker() throws Exception {
    StackHost host = host("late");
    DocumentedWorker worker = DocumentedWorker.on(host);
    start(host);
    Instant now = Instant.now();

    Command late =
        testbed.send(
            host,
            testbed.draft(CommandAction.PREPARE, release()).times(now.minusSeconds(7200), now.minusSeconds(3600)));

    assertThat(code(result(late))).isEqualTo("expired");
    assertThat(worker.effects()).isEmpty();
  }

  /// AV-33.
  @Test
  void thereIsNoUpgradeWithoutAPrepare() throws Exception {
    StackHost host = host("unprepared");
    DocumentedWorker worker = DocumentedWorker.on(host);
    start(host);

    assertThat(code(result(send(host, CommandAction.UPGRADE)))).isEqualTo("not-prepared");
    assertThat(worker.effects()).isEmpty();
  }

  /// AV-48, AV-49: at the start, and in between.
  @Test
  void aVersionThatChangesByItselfIsReported() throws Exception {
    StackHost host = host("changing");
    DocumentedWorker worker = DocumentedWorker.on(host);
    start(host);
    testbed.awaitHeartbeat(host, heartbeat -> heartbeat.version("os").equals("22.04"));

    Files.writeString(worker.file("running"), "22.10\n");

    testbed.awaitHeartbeat(host, heartbeat -> heartbeat.version("os").equals("22.10"));
  }

  /// AV-6, AV-7, AV-15.
  @Test
  void anAgentThatIsKilledMeanwhileAnswersOnce() throws Exception {
    StackHost host = host("killed");
    DocumentedWorker worker = DocumentedWorker.on(host);
    start(host);
    assertThat(result(send(host, CommandAction.PREPARE))).isEqualTo(new CommandResult.Done());
    Path hold = Files.createFile(worker.file("hold"));
    Command upgrade = send(host, CommandAction.UPGRADE);
    await().atMost(TIMEOUT).until(() -> worker.effects().size() == 2);

    host.kill();
    Files.delete(hold);
    host.start();

    assertThat(result(upgrade)).isEqualTo(new CommandResult.RebootRequired());
    var _ = testbed.outcome(testbed.send(host, testbed.draft(CommandAction.INSPECT).target("os", "24.04")));
    assertThat(testbed.storedOutcomes(upgrade)).hasSize(1);
    assertThat(worker.effects()).isEqualTo(DocumentedWorker.EACH_ONCE.subList(0, 2));
  }

  private void start(StackHost host) {
    started.add(host);
    host.start();
  }

  private static StackHost host(String name) {
    return testbed.stack.host(AgentTestbed.TENANT, name);
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
