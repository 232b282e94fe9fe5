package dev.uplift.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.protocol.Action;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Result;
import dev.uplift.protocol.nats.Credentials;
import dev.uplift.temporaldev.Host;
import dev.uplift.temporaldev.Joined;
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

/// A running agent keeps its ticket good: against a real nats-server that reads tickets, and a
/// server that is played but for its keys.
@Timeout(300)
final class RenewalTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final int DAY_S = 86_400;
  private static Site site;

  private Gatekeeper gatekeeper;

  @BeforeAll
  static void open() throws Exception {
    site = Site.open();
  }

  @AfterAll
  static void close() {
    site.close();
  }

  @BeforeEach
  void serve() throws IOException {
    gatekeeper = new Gatekeeper(site.stack);
  }

  @AfterEach
  void stop() {
    gatekeeper.close();
  }

  /// @param everyS how old its tickets become
  private Host joined(String name, int everyS) {
    Host host = site.host(name).with("renew_s", everyS).with("renew_look_s", 1);
    Joined joined = host.join(gatekeeper.token(name));
    assertThat(joined.code()).as(joined.said()).isZero();
    host.start();
    return host;
  }

  private static Credentials credentials(Host host) throws IOException {
    return Credentials.read(host.credentials());
  }

  private static void assertObeys(Host host) throws Exception {
    Event answer = site.outcome(site.send(host, site.draft(Action.INSPECT)));
    assertThat(((Event.Outcome) answer.said()).result()).isEqualTo(new Result.Done());
  }

  private static String log(Host host) throws IOException {
    return Files.readString(host.log());
  }

  @Test
  void ticketThatIsOldIsExchangedAgainAndAgainWhileTheAgentWorks() throws Exception {
    Host host = joined("daily", 1);
    Credentials before = credentials(host);

    await().atMost(PATIENCE).until(() -> gatekeeper.renewals().size() >= 3);

    assertThat(Set.copyOf(gatekeeper.renewals())).containsExactly(before.key().name());
    await().atMost(PATIENCE).until(() -> !credentials(host).jwt().equals(before.jwt()));
    assertThat(log(host)).contains("next ticket").doesNotContain("NATS is away");
    assertObeys(host);
    host.kill();
  }

  @Test
  void hostThatNatsLetsInNoMoreAsksForItsNextTicketAtOnceAndIsBack() throws Exception {
    gatekeeper.goodFor(Duration.ofSeconds(3));
    gatekeeper.isAway(false);
    Host host = site.host("expires").with("renew_s", DAY_S).with("renew_look_s", 1);
    assertThat(host.join(gatekeeper.token("expires")).code()).isZero();
    gatekeeper.isAway(true);
    host.launch();
    await("it asks, in vain").atMost(PATIENCE).until(() -> gatekeeper.renewals().size() >= 2);
    assertThat(log(host)).contains("asked for later");

    gatekeeper.goodFor(Duration.ofDays(30));
    gatekeeper.isAway(false);

    assertObeys(host);
    int asked = gatekeeper.renewals().size();
    assertObeys(host);
    assertThat(gatekeeper.renewals()).as("a ticket that is good is left").hasSize(asked);
    host.kill();
  }

  @Test
  void hostTakesAnotherKeyWhenTheServerWantsThatAndLogsInWithIt() throws Exception {
    Host host = joined("told", DAY_S / 2);
    String before = credentials(host).key().name();
    gatekeeper.wantsNewKeys();
    // Its login is refused until the next ticket, which is when it is told.
    site.stack.nats().kill();
    await("another key")
        .atMost(PATIENCE)
        .until(() -> !credentials(host).key().name().equals(before));
    site.stack.nats().start();

    String now = credentials(host).key().name();
    assertThat(gatekeeper.renewals()).containsSubsequence(before, before, now);
    assertObeys(host);
    assertThat(log(host)).contains("the host has a new key");
    host.kill();
  }
}
