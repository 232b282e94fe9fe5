package dev.uplift.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.protocol.Action;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandDraft;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Heartbeat;
import dev.uplift.protocol.Result;
import dev.uplift.protocol.nats.Credentials;
import dev.uplift.protocol.nats.Nkey;
import dev.uplift.temporaldev.Host;
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

/// Agents as processes, over a real nats-server with two accounts.
final class AgentProcessTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static Site site;

  private final List<Host> started = new ArrayList<>();

  @BeforeAll
  static void open() throws Exception {
    site = Site.open();
  }

  @AfterAll
  static void close() throws Exception {
    site.close();
  }

  /// So that those of the next test have the machine for themselves.
  @AfterEach
  void endAgents() {
    started.forEach(Host::kill);
  }

  @Test
  void hostIsPreparedUpgradedAndRebootedAndShowsItInItsHeartbeat() throws Exception {
    Host host = started("whole");
    var reboots = Map.of("reboot", "true");
    assertThat(result(site.send(host, site.draft(Action.PREPARE, reboots))))
        .isEqualTo(new Result.Done());
    Command upgrade = site.send(host, site.draft(Action.UPGRADE, reboots));
    Event answer = site.outcome(upgrade);
    assertThat(((Event.Outcome) answer.said()).result()).isEqualTo(new Result.RebootRequired());

    Command reboot = site.send(host, site.draft(Action.REBOOT).expectingBoot(answer.bootId()));

    Event back = site.outcome(reboot);
    assertThat(back.bootId()).isEqualTo(host.bootId()).isNotEqualTo(answer.bootId());
    assertThat(back.version()).isEqualTo("1.5.0");
    assertThat(back.instance()).isNotEqualTo(answer.instance());
    Heartbeat beat = site.awaitBeat(host, seen -> seen.bootId().equals(host.bootId()));
    assertThat(beat.version("shopd")).isEqualTo("1.5.0");
  }

  @Test
  void agentThatIsKilledInTheMiddleFindsItsWorkAgainAndAnswersOnce() throws Exception {
    Host host = started(site.host("killed").has("shopd", "simulated", takes("600000")));
    var _ = site.outcome(site.send(host, site.draft(Action.PREPARE)));
    Command upgrade = site.send(host, site.draft(Action.UPGRADE));
    awaitFile(host, upgrade);

    host.kill();
    assertThat(site.outcomes(upgrade)).isEmpty();
    host.has("shopd", "simulated", takes("1")).start();

    assertThat(site.outcome(upgrade).version()).isEqualTo("1.5.0");
    var _ = site.outcome(site.send(host, site.draft(Action.INSPECT)));
    assertThat(site.kept(upgrade)).isEqualTo(1);
  }

  @Test
  void agentThatIsKilledAgainAndAgainAfterTheRebootAnswersItOnce() throws Exception {
    Host host = started("rebooted");
    String before = host.bootId();
    host.neverReturns();
    Command reboot = site.send(host, site.draft(Action.REBOOT).expectingBoot(before));
    await().atMost(PATIENCE).until(() -> !host.isRunning());

    host.powerOn();
    host.kill();
    host.start();
    host.kill();
    host.start();

    assertThat(site.outcome(reboot).bootId()).isNotEqualTo(before);
    var _ = site.outcome(site.send(host, site.draft(Action.INSPECT)));
    assertThat(site.kept(reboot)).isEqualTo(1);
  }

  @Test
  void rebootThatNeverCameBackIsNotAnswered() throws Exception {
    Host host = started("dark");
    host.neverReturns();
    Command reboot = site.send(host, site.draft(Action.REBOOT).expectingBoot(host.bootId()));

    await().atMost(PATIENCE).until(() -> !host.isRunning());

    assertThat(site.outcomes(reboot)).isEmpty();
  }

  @Test
  void answerThatNatsMissedArrivesWhenNatsIsBack() throws Exception {
    Host host = started("patient");
    var _ = site.outcome(site.send(host, site.draft(Action.PREPARE)));
    Command upgrade = site.send(host, site.draft(Action.UPGRADE, Map.of("upgrade_ms", "2000")));
    awaitFile(host, upgrade);

    site.stack.nats().kill();
    await().atMost(PATIENCE).until(() -> content(host, upgrade).contains("outcome"));
    site.stack.nats().start();

    assertThat(site.outcome(upgrade).version()).isEqualTo("1.5.0");
  }

  @Test
  void loginThatWasRefusedIsTriedWithTheNewCredentials() throws Exception {
    Host host = started("locked-out");
    String right = Files.readString(host.credentials());
    Files.writeString(host.credentials(), withAnotherKey(right));
    host.kill();
    host.launch();
    await().atMost(PATIENCE).until(() -> log(host).contains("cannot be reached"));

    Files.writeString(host.credentials(), right);

    host.awaitReady();
    assertThat(host.isRunning()).isTrue();
  }

  @Test
  void credentialsThatAreExchangedWhileTheAgentRunsAreReadAnew() throws Exception {
    Host host = started("exchanged");
    String right = Files.readString(host.credentials());
    site.stack.nats().kill();
    // The agent's library is refused twice, and gives up for good.
    Files.writeString(host.credentials(), withAnotherKey(right));
    site.stack.nats().start();
    await().atMost(PATIENCE).until(() -> log(host).contains("a new one is made"));

    Files.writeString(host.credentials(), right);

    Command inspect = site.send(host, site.draft(Action.INSPECT));
    assertThat(result(inspect)).isEqualTo(new Result.Done());
  }

  private static String withAnotherKey(String credentials) {
    String jwt = Credentials.of(credentials).jwt();
    return new Credentials(jwt, Nkey.generate(Nkey.Kind.USER)).text();
  }

  @Test
  void whatIsNotSignedIsRefusedCountedAndLoggedOnceWithoutItsContent() throws Exception {
    Host host = started("wary");
    Command command = site.command(host, site.draft(Action.UPGRADE));
    site.put(command.subject(), command.write(), new Headers());

    site.awaitInfo(host, info -> info.refused() == 1);
    site.put(command.subject(), "no json, secret word".getBytes(UTF_8), new Headers());
    site.awaitInfo(host, info -> info.refused() == 2);

    String log = log(host);
    assertThat(log).contains("not signed").doesNotContain("secret word");
    assertThat(site.outcomes(command)).isEmpty();
    assertThat(result(site.send(host, site.draft(Action.INSPECT)))).isEqualTo(new Result.Done());
  }

  @Test
  void commandThatIsTooOldIsNotBegun() throws Exception {
    Host host = started("punctual");
    CommandDraft draft = site.draft(Action.PREPARE);
    Command late =
        site.send(
            host,
            draft.at(
                java.time.Instant.now().minusSeconds(7200),
                java.time.Instant.now().minusSeconds(3600)));

    assertThat(result(late))
        .isInstanceOfSatisfying(
            Result.Failed.class, failed -> assertThat(failed.code()).isEqualTo("expired"));
  }

  @Test
  void agentThatIsStoppedSaysSoAndEnds() throws Exception {
    Host host = started("polite");

    host.stop();

    assertThat(site.awaitBeat(host, beat -> beat.state() == Heartbeat.State.STOPPING)).isNotNull();
  }

  @Test
  void secondAgentOfAHostIsTurnedAway() throws Exception {
    Host host = started("single");
    Process second =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                ClassPath.ofAgent(),
                Agent.class.getName(),
                "--config",
                host.config().toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      assertThat(second.waitFor(120, TimeUnit.SECONDS)).isTrue();
      assertThat(second.exitValue()).isEqualTo(12);
    } finally {
      second.destroyForcibly();
    }
    assertThat(host.isRunning()).isTrue();
  }

  private static Map<String, String> takes(String milliseconds) {
    return Map.of("version", "1.4.0", "upgrade_ms", milliseconds);
  }

  private Host started(String name) {
    return started(site.host(name));
  }

  private Host started(Host host) {
    started.add(host);
    host.start();
    return host;
  }

  private static void awaitFile(Host host, Command command) {
    await().atMost(PATIENCE).until(() -> !content(host, command).isEmpty());
  }

  private static String content(Host host, Command command) throws IOException {
    Path file = host.stateFolder().resolve("ops").resolve(command.id() + ".json");
    return Files.exists(file) ? Files.readString(file) : "";
  }

  private static String log(Host host) throws IOException {
    try (Stream<String> lines = Files.lines(host.log())) {
      return String.join("\n", lines.toList());
    }
  }

  private static Result result(Command command) {
    return ((Event.Outcome) site.outcome(command).said()).result();
  }
}
