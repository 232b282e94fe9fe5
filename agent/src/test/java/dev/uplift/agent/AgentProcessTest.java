package dev.uplift.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Heartbeat;
import dev.uplift.protocol.nats.Credentials;
import dev.uplift.protocol.nats.Nkey;
import dev.uplift.temporaldev.stack.StackHost;
import io.nats.client.impl.Headers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Agents as processes, over a real nats-server with two accounts.
final class AgentProcessTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static AgentTestbed testbed;

  private final List<StackHost> started = new ArrayList<>();

  /// Where the JVM looks for a class first.
  @TempDir private Path damage;

  @BeforeAll
  static void open() throws Exception {
    testbed = AgentTestbed.open();
  }

  @AfterAll
  static void close() throws Exception {
    testbed.close();
  }

  /// So that those of the next test have the machine for themselves.
  @AfterEach
  void endAgents() {
    started.forEach(StackHost::kill);
  }

  @Test
  void hostIsPreparedUpgradedAndRebootedAndShowsItInItsHeartbeat() throws Exception {
    StackHost stackHost = started("whole");
    var reboots = Map.of("reboot", "true");
    assertThat(result(testbed.send(stackHost, testbed.draft(CommandAction.PREPARE, reboots))))
        .isEqualTo(new CommandResult.Done());
    Command upgrade = testbed.send(stackHost, testbed.draft(CommandAction.UPGRADE, reboots));
    Event answer = testbed.outcome(upgrade);
    assertThat(((Event.Outcome) answer.content()).result()).isEqualTo(new CommandResult.RebootRequired());

    Command reboot = testbed.send(stackHost, testbed.draft(CommandAction.REBOOT).expectBoot(answer.bootId()));

    Event back = testbed.outcome(reboot);
    assertThat(back.bootId()).isEqualTo(stackHost.bootId()).isNotEqualTo(answer.bootId());
    assertThat(back.version()).isEqualTo("1.5.0");
    assertThat(back.instance()).isNotEqualTo(answer.instance());
    Heartbeat heartbeat = testbed.awaitHeartbeat(stackHost, seen -> seen.bootId().equals(stackHost.bootId()));
    assertThat(heartbeat.version("shopd")).isEqualTo("1.5.0");
  }

  @Test
  void agentThatIsKilledInTheMiddleFindsItsWorkAgainAndAnswersOnce() throws Exception {
    StackHost stackHost = started(testbed.host("killed").withPackage("shopd", "simulated", takes("600000")));
    var _ = testbed.outcome(testbed.send(stackHost, testbed.draft(CommandAction.PREPARE)));
    Command upgrade = testbed.send(stackHost, testbed.draft(CommandAction.UPGRADE));
    awaitFile(stackHost, upgrade);

    stackHost.kill();
    assertThat(testbed.outcomes(upgrade)).isEmpty();
    stackHost.withPackage("shopd", "simulated", takes("1")).start();

    assertThat(testbed.outcome(upgrade).version()).isEqualTo("1.5.0");
    var _ = testbed.outcome(testbed.send(stackHost, testbed.draft(CommandAction.INSPECT)));
    assertThat(testbed.storedOutcomes(upgrade)).hasSize(1);
  }

  @Test
  void agentThatIsKilledAgainAndAgainAfterTheRebootAnswersItOnce() throws Exception {
    StackHost stackHost = started("rebooted");
    String before = stackHost.bootId();
    stackHost.staysOffAfterReboot();
    Command reboot = testbed.send(stackHost, testbed.draft(CommandAction.REBOOT).expectBoot(before));
    await().atMost(TIMEOUT).until(() -> !stackHost.isRunning());

    stackHost.powerOn();
    stackHost.kill();
    stackHost.start();
    stackHost.kill();
    stackHost.start();

    assertThat(testbed.outcome(reboot).bootId()).isNotEqualTo(before);
    var _ = testbed.outcome(testbed.send(stackHost, testbed.draft(CommandAction.INSPECT)));
    assertThat(testbed.storedOutcomes(reboot)).hasSize(1);
  }

  @Test
  void rebootThatNeverCameBackIsNotAnswered() throws Exception {
    StackHost stackHost = started("dark");
    stackHost.staysOffAfterReboot();
    Command reboot = testbed.send(stackHost, testbed.draft(CommandAction.REBOOT).expectBoot(stackHost.bootId()));

    await().atMost(TIMEOUT).until(() -> !stackHost.isRunning());

    assertThat(testbed.outcomes(reboot)).isEmpty();
  }

  @Test
  void answerThatNatsMissedArrivesWhenNatsIsBack() throws Exception {
    StackHost stackHost = started("patient");
    var _ = testbed.outcome(testbed.send(stackHost, testbed.draft(CommandAction.PREPARE)));
    Command upgrade = testbed.send(stackHost, testbed.draft(CommandAction.UPGRADE, Map.of("upgrade_ms", "2000")));
    awaitFile(stackHost, upgrade);

    testbed.stack.nats().kill();
    await().atMost(TIMEOUT).until(() -> content(stackHost, upgrade).contains("outcome"));
    testbed.stack.nats().start();

    assertThat(testbed.outcome(upgrade).version()).isEqualTo("1.5.0");
  }

  @Test
  void loginThatWasRefusedIsTriedWithTheNewCredentials() throws Exception {
    StackHost stackHost = started("locked-out");
    String right = Files.readString(stackHost.credentialsFile());
    Files.writeString(stackHost.credentialsFile(), withAnotherKey(right));
    stackHost.kill();
    stackHost.launch();
    await().atMost(TIMEOUT).until(() -> log(stackHost).contains("cannot be reached"));

    Files.writeString(stackHost.credentialsFile(), right);

    stackHost.awaitReady();
    assertThat(stackHost.isRunning()).isTrue();
  }

  @Test
  void credentialsReplacedWhileTheAgentRunsAreReadAgain() throws Exception {
    StackHost stackHost = started("exchanged");
    String right = Files.readString(stackHost.credentialsFile());
    testbed.stack.nats().kill();
    // The agent's library is refused twice, and gives up for good.
    Files.writeString(stackHost.credentialsFile(), withAnotherKey(right));
    testbed.stack.nats().start();
    await().atMost(TIMEOUT).until(() -> log(stackHost).contains("a new one is made"));

    Files.writeString(stackHost.credentialsFile(), right);

    Command inspect = testbed.send(stackHost, testbed.draft(CommandAction.INSPECT));
    assertThat(result(inspect)).isEqualTo(new CommandResult.Done());
  }

  private static String withAnotherKey(String credentials) {
    String jwt = Credentials.parse(credentials).jwt();
    return new Credentials(jwt, Nkey.generate(Nkey.Kind.USER)).format();
  }

  @Test
  void agentOfWhichAThreadFailsEndsAndIsStartedAgain() throws Exception {
    Path damaged = damage.resolve("dev/uplift/agent/command/ReceivedCommand.class");
    Files.createDirectories(damaged.resolveSibling(""));
    Files.writeString(damaged, "no class");
    StackHost stackHost =
        testbed
            .host("damaged")
            .withAgentVersion(
                testbed.stack.agentVersion().withFile("jvm.options", "-Xbootclasspath/a:" + damage + "\n"));
    started.add(stackHost);

    stackHost.launch();

    await().atMost(TIMEOUT).until(() -> log(stackHost).split("launcher: starts", -1).length > 2);
    assertThat(log(stackHost)).contains("internal error in thread 'command-reader of acme.damaged'", " ended with 16");
  }

  @Test
  void whatIsNotSignedIsRefusedCountedAndLoggedOnceWithoutItsContent() throws Exception {
    StackHost stackHost = started("wary");
    Command command = testbed.command(stackHost, testbed.draft(CommandAction.UPGRADE));
    testbed.publishRaw(command.hostAddress(), command.write(), new Headers());

    testbed.awaitInfo(stackHost, info -> info.rejectedMessages() == 1);
    testbed.publishRaw(command.hostAddress(), "no json, secret word".getBytes(UTF_8), new Headers());
    testbed.awaitInfo(stackHost, info -> info.rejectedMessages() == 2);

    String log = log(stackHost);
    assertThat(log).contains("not signed").doesNotContain("secret word");
    assertThat(testbed.outcomes(command)).isEmpty();
    assertThat(result(testbed.send(stackHost, testbed.draft(CommandAction.INSPECT))))
        .isEqualTo(new CommandResult.Done());
  }

  @Test
  void commandThatIsTooOldIsNotBegun() throws Exception {
    StackHost stackHost = started("punctual");
    TestCommandBuilder draft = testbed.draft(CommandAction.PREPARE);
    Command late =
        testbed.send(
            stackHost,
            draft.times(java.time.Instant.now().minusSeconds(7200), java.time.Instant.now().minusSeconds(3600)));

    assertThat(result(late))
        .isInstanceOfSatisfying(CommandResult.Failed.class, failed -> assertThat(failed.code()).isEqualTo("expired"));
  }

  @Test
  void agentThatIsStoppedSaysSoAndEnds() throws Exception {
    StackHost stackHost = started("polite");

    stackHost.stop();

    assertThat(testbed.awaitHeartbeat(stackHost, heartbeat -> heartbeat.state() == Heartbeat.State.STOPPING))
        .isNotNull();
  }

  @Test
  void secondAgentOfAHostIsRejected() throws Exception {
    StackHost stackHost = started("single");
    Process second =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                AgentClassPath.ofAgent(),
                Agent.class.getName(),
                "--config",
                stackHost.config().toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      assertThat(second.waitFor(120, TimeUnit.SECONDS)).isTrue();
      assertThat(second.exitValue()).isEqualTo(12);
    } finally {
      second.destroyForcibly();
    }
    assertThat(stackHost.isRunning()).isTrue();
  }

  private static Map<String, String> takes(String milliseconds) {
    return Map.of("version", "1.4.0", "upgrade_ms", milliseconds);
  }

  private StackHost started(String name) {
    return started(testbed.host(name));
  }

  private StackHost started(StackHost stackHost) {
    started.add(stackHost);
    stackHost.start();
    return stackHost;
  }

  private static void awaitFile(StackHost stackHost, Command command) {
    await().atMost(TIMEOUT).until(() -> !content(stackHost, command).isEmpty());
  }

  private static String content(StackHost stackHost, Command command) throws IOException {
    Path file = stackHost.stateFolder().resolve("commands").resolve(command.id() + ".json");
    return Files.exists(file) ? Files.readString(file) : "";
  }

  private static String log(StackHost stackHost) throws IOException {
    try (Stream<String> lines = Files.lines(stackHost.logFile())) {
      return String.join("\n", lines.toList());
    }
  }

  private static CommandResult result(Command command) {
    return ((Event.Outcome) testbed.outcome(command).content()).result();
  }
}
