package dev.uplift.activities.host;

import static dev.uplift.fleet.Step.AWAIT_HEARTBEAT;
import static dev.uplift.fleet.Step.AWAIT_STANDBY;
import static dev.uplift.fleet.Step.STOP;
import static dev.uplift.protocol.Heartbeat.State.CUTOVER_READY;
import static dev.uplift.protocol.Heartbeat.State.RUNNING;
import static dev.uplift.protocol.Heartbeat.State.STANDBY;
import static dev.uplift.protocol.Heartbeat.State.STOPPING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.activities.presence.HeardBeat;
import dev.uplift.activities.presence.HostBeats;
import dev.uplift.activities.presence.InstanceBeats;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.Step;
import dev.uplift.protocol.AgentInfo;
import dev.uplift.protocol.Heartbeat;
import dev.uplift.protocol.Heartbeat.State;
import dev.uplift.store.Expectation;
import dev.uplift.store.Waiter;
import dev.uplift.workflows.device.Answer;
import dev.uplift.workflows.device.Answer.Done;
import dev.uplift.workflows.device.Answer.Failed;
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

/// Which beats end which wait while one agent of a host makes way for another.
final class WatchTest {
  private static final HostId LEFT = new HostId("left");
  private static final String PACKAGE = "uplift-agent";
  private static final String WANTED = "2.0";
  private static final Instant NOW = Instant.parse("2026-11-20T10:00:00Z");

  /// What somebody beats.
  record Said(String instance, State state, String version) {}

  record Case(String what, Step step, String ends, List<Said> said) {
    @Override
    public String toString() {
      return step + ": " + what;
    }
  }

  private static final Said OLD_WAITS = new Said("old", CUTOVER_READY, "1.0");
  private static final Said OLD_WORKS = new Said("old", RUNNING, "1.0");
  private static final Said NEW_WAITS = new Said("new", STANDBY, WANTED);
  private static final Said NEW_WORKS = new Said("new", RUNNING, WANTED);

  static final List<Case> CASES =
      List.of(
          one("it stands by", AWAIT_STANDBY, "done", OLD_WAITS, NEW_WAITS),
          one("it works already", AWAIT_STANDBY, "done", NEW_WORKS),
          one("only the old one is heard", AWAIT_STANDBY, "", OLD_WAITS, OLD_WAITS, OLD_WAITS),
          one(
              "another version",
              AWAIT_STANDBY,
              "",
              new Said("third", STANDBY, "1.9"),
              new Said("third", STANDBY, "1.9"),
              new Said("third", STANDBY, "1.9")),
          one("one beat from before", AWAIT_STANDBY, "", OLD_WORKS, OLD_WAITS),
          one("the old one works again", AWAIT_STANDBY, "failed", OLD_WORKS, OLD_WORKS),
          one(
              "the old one works again, the other one is still there",
              AWAIT_STANDBY,
              "done",
              OLD_WORKS,
              NEW_WAITS,
              OLD_WORKS),
          one(
              "the old version works again, in another process",
              AWAIT_STANDBY,
              "failed",
              new Said("third", RUNNING, "1.0"),
              new Said("third", RUNNING, "1.0")),
          one(
              "the old one works again, whatever its version is",
              AWAIT_STANDBY,
              "failed",
              new Said("old", RUNNING, "unknown"),
              new Said("old", RUNNING, "unknown")),
          one(
              "one that does not say its version",
              AWAIT_STANDBY,
              "",
              new Said("third", RUNNING, "unknown"),
              new Said("third", RUNNING, "unknown")),
          one("who stands by does not work", STOP, "", OLD_WAITS, NEW_WAITS, NEW_WAITS),
          one("it works", STOP, "done", OLD_WAITS, NEW_WORKS),
          one("the old one is ending", STOP, "", new Said("old", STOPPING, "1.0"), NEW_WAITS),
          one("the old one works again", STOP, "failed", NEW_WAITS, OLD_WORKS, OLD_WORKS),
          one("it stands by", AWAIT_HEARTBEAT, "", NEW_WAITS, NEW_WAITS),
          one("it works", AWAIT_HEARTBEAT, "done", NEW_WORKS),
          one(
              "it works, started anew",
              AWAIT_HEARTBEAT,
              "done",
              new Said("new", STOPPING, WANTED),
              new Said("third", RUNNING, WANTED)),
          one("the launcher went back", AWAIT_HEARTBEAT, "failed", OLD_WORKS, OLD_WORKS));

  @ParameterizedTest
  @FieldSource("CASES")
  void beatEndsTheWait(Case one) {
    var watch = new Watch(expected(one.step));
    var heard = new Heard();

    Optional<Answer> end = Optional.empty();
    for (Said said : one.said) {
      HeardBeat beat = heard.hear(said);
      end = end.or(() -> watch.judge(heard.beats(), beat));
    }

    assertThat(end.map(WatchTest::word).orElse("")).isEqualTo(one.ends);
  }

  @Test
  void whatWasHeardBeforeCountsWhereNobodyWasHeardAfterIt() {
    var watch = new Watch(expected(AWAIT_STANDBY));
    var heard = new Heard();
    heard.hear(OLD_WAITS);
    heard.hear(NEW_WAITS);

    assertThat(watch.shown(heard.beats(), Instant.EPOCH).map(WatchTest::word)).contains("done");

    heard.hear(OLD_WAITS);

    assertThat(watch.shown(heard.beats(), Instant.EPOCH)).as("it may be gone").isEmpty();
  }

  @Test
  void agentOfAnEarlierAttemptIsNotTakenForTheNext() {
    var heard = new Heard();
    heard.hear(NEW_WORKS);
    heard.hear(OLD_WAITS);

    for (Step step : List.of(AWAIT_STANDBY, STOP, AWAIT_HEARTBEAT)) {
      assertThat(new Watch(expected(step)).shown(heard.beats(), Instant.EPOCH)).isEmpty();
    }
  }

  @Test
  void agentThatWorksAgainSaysWhyAndNobodyElseDoesForIt() {
    var watch = new Watch(expected(AWAIT_STANDBY));
    HeardBeat again = new Heard().hear(OLD_WORKS);

    assertThat(watch.reverted(again, info("old", "1.0", "2.0: it crashed")))
        .contains(
            new Failed(
                "reverted",
                dev.uplift.fleet.ErrorClass.FINAL,
                "left runs 1.0 again: 2.0: it crashed"));
    assertThat(watch.reverted(again, info("old", "1.0", ""))).isEmpty();
    assertThat(watch.reverted(again, info("third", "1.0", "2.0: it crashed"))).isEmpty();
    assertThat(watch.reverted(again, info("old", "0.9", "2.0: it crashed"))).isEmpty();
  }

  private static Case one(String what, Step step, String ends, Said... said) {
    return new Case(what, step, ends, List.of(said));
  }

  private static String word(Answer answer) {
    return switch (answer) {
      case Done _ -> "done";
      case Failed _ -> "failed";
      default -> throw new AssertionError(answer);
    };
  }

  /// Of a host of which one agent makes way: any other one may be there.
  private static Expectation expected(Step step) {
    return new Expectation(
        "acme", LEFT, step, new Release(PACKAGE, WANTED), "", "", "old", new Waiter("w", "1"));
  }

  private static AgentInfo info(String instance, String version, String error) {
    return new AgentInfo(
        AgentInfo.PROTOCOL,
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
        error);
  }

  /// What presence remembers, a second apart.
  private static final class Heard {
    private final Map<String, InstanceBeats> newest = new HashMap<>();
    private final List<HeardBeat> all = new ArrayList<>();

    HeardBeat hear(Said said) {
      Instant at = NOW.plusSeconds(all.size());
      var beat =
          new HeardBeat(
              "acme",
              LEFT,
              said.instance,
              new Heartbeat(
                  said.state, "boot-1", new TreeMap<>(Map.of(PACKAGE, said.version)), false, at),
              at);
      all.add(beat);
      newest.put(said.instance, InstanceBeats.of(beat));
      return beat;
    }

    HostBeats beats() {
      return new HostBeats(newest);
    }
  }
}
