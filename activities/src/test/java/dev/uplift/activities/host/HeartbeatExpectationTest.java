package dev.uplift.activities.host;

import static dev.uplift.fleet.Step.AWAIT_HEARTBEAT;
import static dev.uplift.fleet.Step.AWAIT_SUCCESSOR;
import static dev.uplift.fleet.Step.STOP;
import static dev.uplift.protocol.Heartbeat.State.CUTOVER_READY;
import static dev.uplift.protocol.Heartbeat.State.RUNNING;
import static dev.uplift.protocol.Heartbeat.State.STANDBY;
import static dev.uplift.protocol.Heartbeat.State.STOPPING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.Step;
import dev.uplift.protocol.AgentInfo;
import dev.uplift.protocol.Heartbeat;
import dev.uplift.protocol.Heartbeat.State;
import dev.uplift.services.presence.HostHeartbeats;
import dev.uplift.services.presence.InstanceHeartbeats;
import dev.uplift.services.presence.ReceivedHeartbeat;
import dev.uplift.store.command.HeartbeatWait;
import dev.uplift.store.command.WaitingActivity;
import dev.uplift.workflows.device.StepResult;
import dev.uplift.workflows.device.StepResult.Done;
import dev.uplift.workflows.device.StepResult.Failed;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Which heartbeats end which wait during a handover.
final class HeartbeatExpectationTest {
  private static final HostId LEFT = new HostId("left");
  private static final String PACKAGE = "uplift-agent";
  private static final String WANTED = "2.0";
  private static final Instant NOW = Instant.parse("2026-11-20T10:00:00Z");

  /// A heartbeat of one agent.
  record SentHeartbeat(String instance, State state, String version) {}

  record Case(String what, Step step, String ends, List<SentHeartbeat> said) {
    @Override
    public String toString() {
      return step + ": " + what;
    }
  }

  private static final SentHeartbeat OLD_STANDBY = new SentHeartbeat("old", CUTOVER_READY, "1.0");
  private static final SentHeartbeat OLD_RUNNING = new SentHeartbeat("old", RUNNING, "1.0");
  private static final SentHeartbeat NEW_STANDBY = new SentHeartbeat("new", STANDBY, WANTED);
  private static final SentHeartbeat NEW_RUNNING = new SentHeartbeat("new", RUNNING, WANTED);

  static final List<Case> CASES =
      List.of(
          one("it stands by", AWAIT_SUCCESSOR, "done", OLD_STANDBY, NEW_STANDBY),
          one("it runs already", AWAIT_SUCCESSOR, "done", NEW_RUNNING),
          one("only the old one", AWAIT_SUCCESSOR, "", OLD_STANDBY, OLD_STANDBY, OLD_STANDBY),
          one(
              "another version",
              AWAIT_SUCCESSOR,
              "",
              new SentHeartbeat("third", STANDBY, "1.9"),
              new SentHeartbeat("third", STANDBY, "1.9"),
              new SentHeartbeat("third", STANDBY, "1.9")),
          one("one heartbeat from before", AWAIT_SUCCESSOR, "", OLD_RUNNING, OLD_STANDBY),
          one("the old one runs again", AWAIT_SUCCESSOR, "failed", OLD_RUNNING, OLD_RUNNING),
          one(
              "the old one runs again, the other one is still online",
              AWAIT_SUCCESSOR,
              "done",
              OLD_RUNNING,
              NEW_STANDBY,
              OLD_RUNNING),
          one(
              "the old version runs again, in another process",
              AWAIT_SUCCESSOR,
              "failed",
              new SentHeartbeat("third", RUNNING, "1.0"),
              new SentHeartbeat("third", RUNNING, "1.0")),
          one(
              "the old one runs again, whatever its version is",
              AWAIT_SUCCESSOR,
              "failed",
              new SentHeartbeat("old", RUNNING, "unknown"),
              new SentHeartbeat("old", RUNNING, "unknown")),
          one(
              "one without a version",
              AWAIT_SUCCESSOR,
              "",
              new SentHeartbeat("third", RUNNING, "unknown"),
              new SentHeartbeat("third", RUNNING, "unknown")),
          one("a standby agent is not running", STOP, "", OLD_STANDBY, NEW_STANDBY, NEW_STANDBY),
          one("it runs", STOP, "done", OLD_STANDBY, NEW_RUNNING),
          one("the old one is ending", STOP, "", new SentHeartbeat("old", STOPPING, "1.0"), NEW_STANDBY),
          one("the old one runs again", STOP, "failed", NEW_STANDBY, OLD_RUNNING, OLD_RUNNING),
          one("it stands by", AWAIT_HEARTBEAT, "", NEW_STANDBY, NEW_STANDBY),
          one("it runs", AWAIT_HEARTBEAT, "done", NEW_RUNNING),
          one(
              "it runs, restarted",
              AWAIT_HEARTBEAT,
              "done",
              new SentHeartbeat("new", STOPPING, WANTED),
              new SentHeartbeat("third", RUNNING, WANTED)),
          one("the launcher rolled back", AWAIT_HEARTBEAT, "failed", OLD_RUNNING, OLD_RUNNING));

  @ParameterizedTest
  @FieldSource("CASES")
  void heartbeatEndsTheWait(Case one) {
    var heartbeatExpectation = new HeartbeatExpectation(expected(one.step));
    var receivedHeartbeats = new ReceivedHeartbeats();

    Optional<StepResult> end = Optional.empty();
    for (SentHeartbeat sentHeartbeat : one.said) {
      ReceivedHeartbeat beat = receivedHeartbeats.hear(sentHeartbeat);
      end = end.or(() -> heartbeatExpectation.evaluate(receivedHeartbeats.beats(), beat));
    }

    assertThat(end.map(HeartbeatExpectationTest::word).orElse("")).isEqualTo(one.ends);
  }

  @Test
  void earlierHeartbeatCountsIfNoOtherFollowed() {
    var heartbeatExpectation = new HeartbeatExpectation(expected(AWAIT_SUCCESSOR));
    var receivedHeartbeats = new ReceivedHeartbeats();
    receivedHeartbeats.hear(OLD_STANDBY);
    receivedHeartbeats.hear(NEW_STANDBY);

    assertThat(
            heartbeatExpectation
                .observed(receivedHeartbeats.beats(), Instant.EPOCH)
                .map(HeartbeatExpectationTest::word))
        .contains("done");

    receivedHeartbeats.hear(OLD_STANDBY);

    assertThat(heartbeatExpectation.observed(receivedHeartbeats.beats(), Instant.EPOCH))
        .as("it may have ended")
        .isEmpty();
  }

  @Test
  void agentOfAnEarlierAttemptDoesNotCount() {
    var receivedHeartbeats = new ReceivedHeartbeats();
    receivedHeartbeats.hear(NEW_RUNNING);
    receivedHeartbeats.hear(OLD_STANDBY);

    for (Step step : List.of(AWAIT_SUCCESSOR, STOP, AWAIT_HEARTBEAT)) {
      assertThat(new HeartbeatExpectation(expected(step)).observed(receivedHeartbeats.beats(), Instant.EPOCH))
          .isEmpty();
    }
  }

  @Test
  void onlyTheAgentThatRunsAgainGivesTheReason() {
    var heartbeatExpectation = new HeartbeatExpectation(expected(AWAIT_SUCCESSOR));
    ReceivedHeartbeat again = new ReceivedHeartbeats().hear(OLD_RUNNING);

    assertThat(heartbeatExpectation.revertResult(again, info("old", "1.0", "2.0: it crashed")))
        .contains(new Failed("rolled-back", dev.uplift.fleet.ErrorClass.FINAL, "left runs 1.0 again: 2.0: it crashed"));
    assertThat(heartbeatExpectation.revertResult(again, info("old", "1.0", ""))).isEmpty();
    assertThat(heartbeatExpectation.revertResult(again, info("third", "1.0", "2.0: it crashed"))).isEmpty();
    assertThat(heartbeatExpectation.revertResult(again, info("old", "0.9", "2.0: it crashed"))).isEmpty();
  }

  private static Case one(String what, Step step, String ends, SentHeartbeat... said) {
    return new Case(what, step, ends, List.of(said));
  }

  private static String word(StepResult stepResult) {
    return switch (stepResult) {
      case Done _ -> "done";
      case Failed _ -> "failed";
      default -> throw new AssertionError(stepResult);
    };
  }

  /// Returns a wait during a handover, when any other agent may be online.
  private static HeartbeatWait expected(Step step) {
    return new HeartbeatWait(
        "acme", LEFT, step, new Release(PACKAGE, WANTED), "", "", "old", new WaitingActivity("w", "1"));
  }

  private static AgentInfo info(String instance, String version, String error) {
    return new AgentInfo(
        AgentInfo.PROTOCOL_VERSION,
        version,
        List.of("agent"),
        "x86_64",
        new TreeMap<>(),
        "boot-1",
        instance,
        RUNNING,
        NOW,
        0,
        Optional.empty(),
        error,
        0,
        new TreeMap<>(),
        new TreeMap<>(),
        Optional.empty());
  }

  /// The heartbeats in memory, a second apart.
  private static final class ReceivedHeartbeats {
    private final Map<String, InstanceHeartbeats> newest = new HashMap<>();
    private final List<ReceivedHeartbeat> all = new ArrayList<>();

    ReceivedHeartbeat hear(SentHeartbeat sentHeartbeat) {
      Instant at = NOW.plusSeconds(all.size());
      var beat =
          new ReceivedHeartbeat(
              "acme",
              LEFT,
              sentHeartbeat.instance,
              new Heartbeat(
                  sentHeartbeat.state, "boot-1", new TreeMap<>(Map.of(PACKAGE, sentHeartbeat.version)), false, at),
              at);
      all.add(beat);
      newest.put(sentHeartbeat.instance, InstanceHeartbeats.of(beat));
      return beat;
    }

    HostHeartbeats beats() {
      return new HostHeartbeats(newest);
    }
  }
}
