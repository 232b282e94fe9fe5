package dev.uplift.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.nats.Credentials;
import dev.uplift.temporaldev.stack.JoinCommandResult;
import dev.uplift.temporaldev.stack.StackHost;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A running agent keeps its ticket good: against a real nats-server that reads tickets, and a server that is played
/// but for its keys.
@Timeout(300)
final class CredentialsRenewalTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(90);
  private static final int DAY_S = 86_400;
  private static AgentTestbed testbed;

  private FakeEnrolmentServer enrolmentServer;

  @BeforeAll
  static void open() throws Exception {
    testbed = AgentTestbed.open();
  }

  @AfterAll
  static void close() {
    testbed.close();
  }

  @BeforeEach
  void serve() throws IOException {
    enrolmentServer = new FakeEnrolmentServer(testbed.stack);
  }

  @AfterEach
  void stop() {
    enrolmentServer.close();
  }

  /// @param everyS how old its tickets become
  private StackHost startEnrolled(String name, int everyS) {
    StackHost stackHost = testbed.host(name).setting("renew_after_seconds", everyS).setting("renew_check_seconds", 1);
    JoinCommandResult joinCommandResult = stackHost.join(enrolmentServer.token(name));
    assertThat(joinCommandResult.exitCode()).as(joinCommandResult.output()).isZero();
    stackHost.start();
    return stackHost;
  }

  private static Credentials credentials(StackHost stackHost) throws IOException {
    return Credentials.read(stackHost.credentialsFile());
  }

  private static void assertAnswersCommands(StackHost stackHost) throws Exception {
    Event answer = testbed.outcome(testbed.send(stackHost, testbed.draft(CommandAction.INSPECT)));
    assertThat(((Event.Outcome) answer.content()).result()).isEqualTo(new CommandResult.Done());
  }

  private static String log(StackHost stackHost) throws IOException {
    return Files.readString(stackHost.logFile());
  }

  @Test
  void ticketThatIsOldIsExchangedAgainAndAgainWhileTheAgentWorks() throws Exception {
    StackHost stackHost = startEnrolled("daily", 1);
    Credentials before = credentials(stackHost);

    await().atMost(TIMEOUT).until(() -> enrolmentServer.renewals().size() >= 3);

    assertThat(Set.copyOf(enrolmentServer.renewals())).containsExactly(before.key().publicKey());
    await().atMost(TIMEOUT).until(() -> !credentials(stackHost).jwt().equals(before.jwt()));
    assertThat(log(stackHost)).contains("renewed the host's NATS user JWT").doesNotContain("disconnected from NATS");
    assertAnswersCommands(stackHost);
    stackHost.kill();
  }

  @Test
  void hostThatNatsLetsInNoMoreAsksForItsNextTicketAtOnceAndIsBack() throws Exception {
    enrolmentServer.validity(Duration.ofSeconds(3));
    enrolmentServer.unavailable(false);
    StackHost stackHost =
        testbed.host("expires").setting("renew_after_seconds", DAY_S).setting("renew_check_seconds", 1);
    assertThat(stackHost.join(enrolmentServer.token("expires")).exitCode()).isZero();
    enrolmentServer.unavailable(true);
    stackHost.launch();
    await("it asks, in vain").atMost(TIMEOUT).until(() -> enrolmentServer.renewals().size() >= 2);
    assertThat(log(stackHost)).contains("cannot renew the NATS user JWT now");

    enrolmentServer.validity(Duration.ofDays(30));
    enrolmentServer.unavailable(false);

    assertAnswersCommands(stackHost);
    int asked = enrolmentServer.renewals().size();
    assertAnswersCommands(stackHost);
    assertThat(enrolmentServer.renewals()).as("a ticket that is good is left").hasSize(asked);
    stackHost.kill();
  }

  @Test
  void hostTakesAnotherKeyWhenTheServerWantsThatAndLogsInWithIt() throws Exception {
    StackHost stackHost = startEnrolled("told", DAY_S / 2);
    String before = credentials(stackHost).key().publicKey();
    enrolmentServer.requestNewKeys();
    // Its login is rejected until the next credentials.
    testbed.stack.nats().kill();
    await("another key").atMost(TIMEOUT).until(() -> !credentials(stackHost).key().publicKey().equals(before));
    testbed.stack.nats().start();

    String now = credentials(stackHost).key().publicKey();
    assertThat(enrolmentServer.renewals()).containsSubsequence(before, before, now);
    assertAnswersCommands(stackHost);
    assertThat(log(stackHost)).contains("rotated the host's key");
    stackHost.kill();
  }
}
