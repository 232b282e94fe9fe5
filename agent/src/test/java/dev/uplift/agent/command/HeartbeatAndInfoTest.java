package dev.uplift.agent.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.Heartbeat;
import dev.uplift.protocol.PackageOffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The agent's reports about itself and its host: heartbeats and infos.
final class HeartbeatAndInfoTest extends HostAgentScenario {
  @Test
  void heartbeatComesAtOnceAfterAChangeWithWhatWasMeasured() {
    fixture.start();
    Command upgrade = fixture.send(CommandAction.UPGRADE);
    var _ = fixture.server.outcome(upgrade);

    await().until(() -> fixture.server.lastHeartbeatMatches(heartbeat -> heartbeat.version("shopd").equals("1.5.0")));
    Heartbeat heartbeat = fixture.server.heartbeats().getLast();
    assertThat(heartbeat.state()).isEqualTo(Heartbeat.State.RUNNING);
    assertThat(heartbeat.bootId()).isEqualTo(HostAgentFixture.BOOT);
    assertThat(heartbeat.onTrial()).isFalse();
  }

  @Test
  void heartbeatComesAtOnceWhenTheServerIsBack() {
    fixture.server.becomeUnavailable();
    fixture.publishesHeartbeatEvery(Duration.ofMinutes(5)).start();
    assertThat(fixture.server.heartbeats()).isEmpty();

    fixture.server.becomeAvailable();

    await().atMost(Duration.ofSeconds(60)).until(() -> !fixture.server.heartbeats().isEmpty());
  }

  @Test
  void versionThatCannotBeSaidIsUnknown() {
    fixture.driver.version = "not a version";
    fixture.start();

    await().until(() -> !fixture.server.heartbeats().isEmpty());
    assertThat(fixture.server.heartbeats().getLast().version("shopd")).isEqualTo("unknown");
  }

  @Test
  void lastBeatSaysThatTheAgentEnds() {
    fixture.start();
    fixture.awaitIdle();

    fixture.stop();

    assertThat(fixture.server.heartbeats()).anyMatch(heartbeat -> heartbeat.state() == Heartbeat.State.STOPPING);
  }

  @Test
  void infoIsPublishedOnlyAfterAChange() {
    fixture.start();
    Command upgrade = fixture.send(CommandAction.UPGRADE);
    var _ = fixture.server.outcome(upgrade);

    await().until(() -> fixture.server.info().version("shopd").equals("1.5.0"));
    await().until(() -> fixture.server.info().lastOutcome().isPresent());
    assertThat(fixture.server.info().lastOutcome().orElseThrow().commandId()).isEqualTo(upgrade.id());
    assertThat(fixture.server.info().drivers()).isEqualTo(List.of("bundle"));
    int told = fixture.server.infos().size();
    int beats = fixture.server.heartbeats().size();
    await().until(() -> fixture.server.heartbeats().size() > beats + 2);
    assertThat(fixture.server.infos()).hasSize(told);
  }

  @Test
  void whatIsOfferedIsToldOnceAndAgainWhenItChanges() {
    var three = new PackageOffer(3, 1, "2f7a90c41d3be856");
    fixture.driver.offer = Optional.of(three);
    fixture.start();
    await().until(() -> three.equals(fixture.server.info().offers().get("shopd")));
    int told = fixture.server.infos().size();
    int beats = fixture.server.heartbeats().size();
    await().until(() -> fixture.server.heartbeats().size() > beats + 2);
    assertThat(fixture.server.infos()).hasSize(told);

    fixture.driver.offer = Optional.of(PackageOffer.NOTHING);
    await().until(() -> PackageOffer.NOTHING.equals(fixture.server.info().offers().get("shopd")));
    fixture.driver.offer = Optional.empty();
    await().until(() -> fixture.server.info().offers().isEmpty());
  }

  @Test
  void nextAgentStillSaysHowTheLastCommandEnded() {
    fixture.start();
    Command upgrade = fixture.send(CommandAction.UPGRADE);
    var _ = fixture.server.outcome(upgrade);
    fixture.stop();
    int told = fixture.server.infos().size();

    fixture.start();

    await()
        .until(() ->
            fixture.server.infos().stream()
                .skip(told)
                .anyMatch(info -> info.lastOutcome().filter(it -> it.commandId().equals(upgrade.id())).isPresent()));
  }
}
