package dev.uplift.agent.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.protocol.Action;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.Heartbeat;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What the agent says of itself and its host: heartbeats and info.
final class BeatsAndInfoTest extends RigScenario {
  @Test
  void heartbeatComesAtOnceAfterAChangeWithWhatWasMeasured() {
    rig.start();
    Command upgrade = rig.send(Action.UPGRADE);
    var _ = rig.server.outcome(upgrade);

    await().until(() -> rig.server.beatsLast(beat -> beat.version("shopd").equals("1.5.0")));
    Heartbeat beat = rig.server.beats().getLast();
    assertThat(beat.state()).isEqualTo(Heartbeat.State.RUNNING);
    assertThat(beat.bootId()).isEqualTo(Rig.BOOT);
    assertThat(beat.trial()).isFalse();
  }

  @Test
  void heartbeatComesAtOnceWhenTheServerIsBack() {
    rig.server.goAway();
    rig.beatsEvery(Duration.ofMinutes(5)).start();
    assertThat(rig.server.beats()).isEmpty();

    rig.server.comeBack();

    await().atMost(Duration.ofSeconds(60)).until(() -> !rig.server.beats().isEmpty());
  }

  @Test
  void versionThatCannotBeSaidIsUnknown() {
    rig.driver.version = "not a version";
    rig.start();

    await().until(() -> !rig.server.beats().isEmpty());
    assertThat(rig.server.beats().getLast().version("shopd")).isEqualTo("unknown");
  }

  @Test
  void lastBeatSaysThatTheAgentEnds() {
    rig.start();
    rig.settle();

    rig.stop();

    assertThat(rig.server.beats()).anyMatch(beat -> beat.state() == Heartbeat.State.STOPPING);
  }

  @Test
  void infoIsToldWhenItHasChangedAndOnlyThen() {
    rig.start();
    Command upgrade = rig.send(Action.UPGRADE);
    var _ = rig.server.outcome(upgrade);

    await().until(() -> rig.server.info().version("shopd").equals("1.5.0"));
    await().until(() -> rig.server.info().last().isPresent());
    assertThat(rig.server.info().last().orElseThrow().commandId()).isEqualTo(upgrade.id());
    assertThat(rig.server.info().drivers()).isEqualTo(List.of("bundle"));
    int told = rig.server.infos().size();
    int beats = rig.server.beats().size();
    await().until(() -> rig.server.beats().size() > beats + 2);
    assertThat(rig.server.infos()).hasSize(told);
  }

  @Test
  void nextAgentStillSaysHowTheLastCommandEnded() {
    rig.start();
    Command upgrade = rig.send(Action.UPGRADE);
    var _ = rig.server.outcome(upgrade);
    rig.stop();
    int told = rig.server.infos().size();

    rig.start();

    await()
        .until(() ->
            rig.server.infos().stream()
                .skip(told)
                .anyMatch(info ->
                    info.last().filter(it -> it.commandId().equals(upgrade.id())).isPresent()));
  }
}
