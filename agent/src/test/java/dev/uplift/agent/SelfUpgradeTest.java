package dev.uplift.agent;

import static dev.uplift.agent.AgentReleases.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Heartbeat.State;
import dev.uplift.protocol.ReleaseManifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The agent upgrades itself, as processes under the launcher, over a real nats-server: whatever happens, one agent
/// works in the end, and says which.
final class SelfUpgradeTest extends SelfUpgradeScenario {

  SelfUpgradeTest() throws Exception {
    super("real", "crashes", "hangs", "lost", "unfit");
  }

  @Test
  void agentIsFollowedByTheNextVersionAndGoesBackTheSameWay() throws Exception {
    install("parallel");
    ReleaseManifest next = releases.of("real");
    String old = releases.bringToStandby(host, "real");
    assertThat(host.alive()).containsExactly("1.0.0", "2.0.0");
    assertThat(host.awaitInstance(State.CUTOVER_READY, "1.0.0")).isEqualTo(old);

    Command stop = testbed.send(host.host, host.stop(next, old));
    assertThat(result(testbed.outcome(stop))).isEqualTo(DONE);

    String fresh = host.awaitWorking("2.0.0");
    assertThat(fresh).isNotEqualTo(old);
    await().untilAsserted(() -> assertThat(host.alive()).containsExactly("2.0.0"));
    // The second time its successor answers, and no agent ends.
    testbed.send(stop);
    await().until(() -> testbed.outcomes(stop).size() > 1);
    Event committed = host.order(testbed.draft(CommandAction.COMMIT, next));
    assertThat(result(committed)).isEqualTo(DONE);
    assertThat(committed.onTrial()).isFalse();
    assertThat(host.has("trial")).isFalse();

    assertThat(result(host.order(testbed.draft(CommandAction.ROLLBACK, next, "1.0.0"))))
        .isEqualTo(new CommandResult.HandoverRequired());
    host.awaitInstance(State.STANDBY, "1.0.0");
    assertThat(result(host.order(host.stop(next, fresh)))).isEqualTo(DONE);

    host.awaitWorking("1.0.0");
    await().untilAsserted(() -> assertThat(host.alive()).containsExactly("1.0.0"));
    assertThat(host.has("versions/2.0.0/COMPLETE")).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "crashes, 600, it was started 3 times and did not stay",
    "hangs, 3, no heartbeat of it within 3 s",
    "lost, 3, no heartbeat of it within 3 s"
  })
  void oldAgentContinuesWhenTheNewOne(String fails, String patience, String reason) throws Exception {
    host.set("standby_timeout_seconds", patience).boot();
    String old = host.awaitWorking("1.0.0");
    prepare(fails);

    host.order(releases.upgrade(fails));

    testbed.awaitInfo(host.host, info -> info.upgradeError().equals("2.0.0: " + reason));
    assertThat(host.awaitWorking("1.0.0")).isEqualTo(old);
    assertThat(host.current()).isEqualTo("1.0.0");
    await().untilAsserted(() -> assertThat(host.alive()).containsExactly("1.0.0"));
    Event answer = host.order(host.stop(releases.of(fails), old));
    assertThat(((CommandResult.Failed) result(answer)).code()).isEqualTo("no-successor");
    assertThat(host.awaitWorking("1.0.0")).isEqualTo(old);
  }

  @Test
  void uncommittedAgentThatDoesNotDoWhatItIsAskedIsRolledBack() throws Exception {
    host.set("commit_within_seconds", "3");
    install("parallel");
    String old = releases.bringToStandby(host, "real");
    assertThat(result(host.order(host.stop(releases.of("real"), old)))).isEqualTo(DONE);

    testbed.sendUntrusted(host.host);

    testbed.awaitInfo(host.host, info -> info.upgradeError().equals("2.0.0: not committed within 3 s"));
    await().untilAsserted(() -> assertThat(host.alive()).containsExactly("1.0.0"));
    assertThat(host.current()).isEqualTo("1.0.0");
  }

  @Test
  void uncommittedAgentStaysWhileTheServerCouldSteerIt() throws Exception {
    host.set("commit_within_seconds", "10").useManualUptime();
    install("parallel");
    String next = releases.takeOver(host, "real");
    await().until(() -> host.has("since"));

    for (int passed = 0; passed < 40; passed += 8) {
      host.advanceUptime(8);
      await("the trial is renewed").until(() -> host.trialCountsFrom() == host.uptime());
    }

    assertThat(host.alive()).containsExactly("2.0.0");
    assertThat(host.has("trial")).as("it is still on trial").isTrue();
    assertThat(host.awaitWorking("2.0.0")).isEqualTo(next);
    await("its starts count no more").until(() -> !host.has("attempts"));
    Event committed = host.order(testbed.draft(CommandAction.COMMIT, releases.of("real")));
    assertThat(result(committed)).isEqualTo(DONE);
    assertThat(host.has("trial")).isFalse();
  }

  @Test
  void versionThatIsUnfitIsNotBegun() throws Exception {
    install("parallel");

    Event answer = host.order(releases.prepare("unfit"));

    assertThat(((CommandResult.Failed) result(answer)).code()).isEqualTo("self-test-failed");
    assertThat(((CommandResult.Failed) result(answer)).text()).contains("no such library");
    assertThat(host.current()).isEqualTo("1.0.0");
    host.awaitWorking("1.0.0");
  }

  @Test
  void newOneWorksOnTrialWhenTheOldOneDies() throws Exception {
    install("parallel");
    releases.bringToStandby(host, "real");

    host.host.killAgent("1.0.0");

    host.awaitWorking("2.0.0");
    await().untilAsserted(() -> assertThat(host.alive()).containsExactly("2.0.0"));
    assertThat(result(host.order(testbed.draft(CommandAction.COMMIT, releases.of("real"))))).isEqualTo(DONE);
  }

  @Test
  void hostThatLosesItsPowerDuringTheHandoverBootsWithTheNewOneOnTrial() throws Exception {
    install("parallel");
    releases.bringToStandby(host, "real");

    host.host.powerCycle();

    host.awaitWorking("2.0.0");
    assertThat(host.alive()).containsExactly("2.0.0");
    assertThat(host.has("trial")).isTrue();
  }

  @Test
  void stopOfAnotherInstanceAndOtherCommandsEndNoAgent() throws Exception {
    install("parallel");
    String old = releases.bringToStandby(host, "real");

    Command elsewhere = testbed.send(host.host, host.stop(releases.of("real"), "other"));
    Event other = host.order(testbed.draft(CommandAction.PREPARE));

    assertThat(((CommandResult.Failed) result(other)).code()).isEqualTo("handover-in-progress");
    assertThat(testbed.outcomes(elsewhere)).isEmpty();
    assertThat(host.awaitInstance(State.CUTOVER_READY, "1.0.0")).isEqualTo(old);
    assertThat(host.alive()).containsExactly("1.0.0", "2.0.0");
  }

  @Test
  void whereMemoryIsShortOneFollowsTheOther() throws Exception {
    install("sequential");
    prepare("real");

    Event answer = host.order(releases.upgrade("real"));

    assertThat(result(answer)).isEqualTo(DONE);
    assertThat(answer.version()).isEqualTo("2.0.0");
    assertThat(answer.onTrial()).isTrue();
    assertThat(host.alive()).containsExactly("2.0.0");
  }

  @Test
  void whereMemoryIsShortTheOldOneComesBackAndSaysWhy() throws Exception {
    install("sequential");
    prepare("crashes");

    Event answer = host.order(releases.upgrade("crashes"));

    assertThat(((CommandResult.Failed) result(answer)).code()).isEqualTo("rolled-back");
    assertThat(((CommandResult.Failed) result(answer)).text()).contains("started 3 times");
    host.awaitWorking("1.0.0");
  }

  private void install(String mode) throws Exception {
    host.set("mode", mode).boot();
    host.awaitWorking("1.0.0");
  }

  private void prepare(String which) throws Exception {
    assertThat(result(host.order(releases.prepare(which)))).isEqualTo(DONE);
  }
}
