package dev.uplift.fleet.rollout.start;

import static dev.uplift.fleet.rollout.decision.SnapshotScenario.NOON;
import static dev.uplift.fleet.rollout.decision.SnapshotScenario.at;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.rollout.Decision.Start;
import dev.uplift.fleet.rollout.decision.SnapshotScenario;
import dev.uplift.fleet.rollout.plan.GroupLimit;
import dev.uplift.fleet.rollout.plan.WindowRule;
import dev.uplift.fleet.rollout.start.GroupLoads.Group;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Which devices start next at noon. An upgrade is expected to take half an hour, preparations may start a day ahead,
/// and of each `ha` group one device may be in progress, silent or not verified; in group `full` it is `other`.
final class StartSelectionTest {
  private static final Start ROOM = new Start(10, 10, 100, "");
  private static final WindowRule WAIT = WindowRule.DEFAULTS;
  private static final WindowRule FORCE =
      new WindowRule(WindowRule.Mode.IGNORE, "CVE", WAIT.onClose(), WAIT.prepareAhead(), WAIT.requiredTime());
  private static final Instant IN_A_WEEK = Instant.parse("2026-11-28T02:00:00Z");

  static final List<Case> CASES =
      List.of(
          new Case("no windows", ROOM, WAIT, "start a b", any("a"), any("b")),
          new Case(
              "as many as the limit allows",
              room(2, 0),
              WAIT,
              "start a b | max-parallel: 2 devices (c: limit reached)",
              any("a"),
              any("b"),
              any("c"),
              any("d")),
          new Case(
              "as fast as the rate allows",
              new Start(10, 10, 1, ""),
              WAIT,
              "start a | rate-limit: 1 device (b: started as fast as allowed)",
              any("a"),
              any("b")),
          new Case("its window is open", ROOM, WAIT, "start a", open("a", "13:00")),
          new Case("to the minute long enough", ROOM, WAIT, "start a", open("a", "12:30")),
          new Case(
              "its window closes too soon",
              ROOM,
              WAIT,
              "start b | window: 1 device (a: its window closes at 2026-11-21T12:29:00Z, too soon)",
              open("a", "12:29"),
              any("b")),
          new Case("it opens tonight", ROOM, WAIT, "ahead a", closed("a", at("23:00"))),
          new Case(
              "the limit of preparations is reached",
              room(5, 1),
              WAIT,
              "start c ahead a | window: 1 device (b: its window opens at 2026-11-21T23:00:00Z)",
              closed("a", at("23:00")),
              closed("b", at("23:00")),
              any("c")),
          new Case(
              "it opens in a week",
              ROOM,
              WAIT,
              "| window: 1 device (a: its window opens at 2026-11-28T02:00:00Z)",
              closed("a", IN_A_WEEK)),
          new Case(
              "it never opens in time",
              ROOM,
              WAIT,
              "| no-window: 1 device (a: no window before the deadline)",
              with("a", new CandidateWindow.Never())),
          new Case("windows are ignored", ROOM, FORCE, "start a b", closed("a", IN_A_WEEK), open("b", "12:01")),
          new Case("it has prepared", ROOM, WAIT, "proceed a", prepared("a", opened("13:00"))),
          new Case(
              "it has prepared and its window is still closed",
              ROOM,
              WAIT,
              "| window: 1 device (a: its window opens at 2026-11-21T23:00:00Z)",
              prepared("a", new CandidateWindow.Closed(at("23:00")))),
          new Case(
              "to proceed counts as parallel, but not as a start",
              new Start(1, 0, 0, ""),
              WAIT,
              "proceed a | max-parallel: 1 device (b: limit reached)",
              prepared("a", opened("13:00")),
              any("b")),
          new Case(
              "one of a group",
              ROOM,
              WAIT,
              "start a c | group-limit: 1 device (b: 1 of ha = x in progress, silent or not verified, at most 1)",
              member("a", "x"),
              member("b", "x"),
              member("c", "y")),
          new Case(
              "another of the group is not verified",
              ROOM,
              FORCE,
              "| group-limit: 1 device (a: 1 of ha = full in progress, silent or not verified, at most 1)",
              member("a", "full")),
          new Case(
              "it is silent itself and counted already",
              ROOM,
              FORCE,
              "start other | group-limit: 1 device (a: 1 of ha = full in progress, silent or not"
                  + " verified, at most 1)",
              member("other", "full"),
              member("a", "full")),
          new Case(
              "held, busy, outranked",
              ROOM,
              FORCE,
              "start d | device-busy: 1 device (b: in upgrade u7); lower-priority: 1 device (c:"
                  + " first comes rollout r2); device-held: 1 device (a: held by ann: stocktaking)",
              blocked("a", "ann: stocktaking", null, null),
              blocked("b", null, "upgrade u7", null),
              blocked("c", null, null, "rollout r2"),
              any("d")),
          new Case(
              "a host is not heard",
              ROOM,
              WAIT,
              "start b | offline: 1 device (a: a-left is not heard since 2026-11-21T09:00:00Z)",
              offline(any("a")),
              any("b")),
          new Case(
              "what is not heard takes no place",
              room(1, 0),
              WAIT,
              "start c | offline: 2 devices (a: a-left is not heard since 2026-11-21T09:00:00Z);"
                  + " max-parallel: 1 device (d: limit reached)",
              offline(any("a")),
              offline(any("b")),
              any("c"),
              any("d")),
          new Case(
              "it is not heard and would prepare ahead",
              ROOM,
              WAIT,
              "ahead b | offline: 1 device (a: a-left is not heard since 2026-11-21T09:00:00Z)",
              offline(closed("a", at("23:00"))),
              closed("b", at("23:00"))),
          new Case(
              "it has prepared and is not heard any more",
              ROOM,
              WAIT,
              "| offline: 1 device (a: a-left is not heard since 2026-11-21T09:00:00Z)",
              offline(prepared("a", opened("13:00")))),
          new Case(
              "it is not heard and its window is closed for days",
              ROOM,
              WAIT,
              "| window: 1 device (a: its window opens at 2026-11-28T02:00:00Z)",
              offline(closed("a", IN_A_WEEK))),
          new Case(
              "the server cannot tell",
              ROOM,
              FORCE,
              "| presence-unknown: 1 device (a: whether a-left is heard is unknown: it has just started)",
              absent(any("a"), new CandidatePresence.Unknown("a-left", "it has just started"))),
          new Case(
              "between two attempts",
              ROOM,
              WAIT,
              "start b | back-off: 1 device (a: again at 2026-11-21T12:10:00Z)",
              again("a", "12:10"),
              again("b", "12:00")));

  @ParameterizedTest
  @FieldSource("CASES")
  void devicesAreSelectedInOrder(Case one) {
    assertThat(inWords(choose(one.room, one.rule, one.candidates))).isEqualTo(one.said);
  }

  @Test
  void namesThoseThatWouldBeNextAndAreNotHeard() {
    StartSelection next =
        choose(ROOM, WAIT, List.of(offline(any("a")), any("b"), offline(closed("c", IN_A_WEEK)), offline(any("d"))));

    assertThat(next.offline()).containsExactly("a", "d");
  }

  @Test
  void mostFrequentReasonComesFirstWithTheEarliestTime() {
    StartSelection next =
        choose(
            ROOM,
            WAIT,
            List.of(blocked("a", "ann", null, null), closed("b", IN_A_WEEK), open("c", "12:20"), again("d", "12:25")));

    assertThat(next.isEmpty()).isTrue();
    assertThat(SnapshotScenario.line(next.waitDecision()))
        .isEqualTo(
            "wait window until 12:20: window: 2 devices (b: its window opens at"
                + " 2026-11-28T02:00:00Z); back-off: 1 device (d: again at 2026-11-21T12:25:00Z);"
                + " device-held: 1 device (a: held by ann)");
  }

  private static StartSelection choose(Start limits, WindowRule rule, List<Candidate> candidates) {
    GroupLoads loads =
        new GroupLoads(List.of(new GroupLimit("ha", 1)), Map.of(new Group("ha", "full"), Set.of("other")));
    return StartSelection.select(candidates, limits, loads, rule, NOON);
  }

  private static String inWords(StartSelection next) {
    StringBuilder words = new StringBuilder();
    list(words, "start", next.start());
    list(words, "ahead", next.prepare());
    list(words, "proceed", next.proceed());
    if (!next.blocked().isEmpty()) {
      words.append("| ").append(next.waitDecision().message());
    }
    return words.toString().strip();
  }

  private static void list(StringBuilder words, String what, List<String> devices) {
    if (!devices.isEmpty()) {
      words.append(what).append(' ').append(String.join(" ", devices)).append(' ');
    }
  }

  record Case(String what, Start room, WindowRule rule, String said, List<Candidate> candidates) {
    Case(String what, Start room, WindowRule rule, String said, Candidate... candidates) {
      this(what, room, rule, said, List.of(candidates));
    }

    @Override
    public String toString() {
      return what;
    }
  }

  private static Start room(int now, int ahead) {
    return new Start(now, ahead, 100, "");
  }

  private static Candidate offline(Candidate one) {
    return absent(one, new CandidatePresence.Offline(one.device() + "-left", at("09:00")));
  }

  private static Candidate absent(Candidate one, CandidatePresence presence) {
    return new Candidate(
        one.device(),
        one.prepared(),
        one.groups(),
        one.window(),
        presence,
        one.heldBy(),
        one.pinnedBy(),
        one.busyWith(),
        one.outrankedBy(),
        one.notBefore());
  }

  private static Candidate any(String device) {
    return with(device, new CandidateWindow.Always());
  }

  private static Candidate open(String device, String closes) {
    return with(device, opened(closes));
  }

  private static CandidateWindow opened(String closes) {
    return new CandidateWindow.Open(at(closes));
  }

  private static Candidate closed(String device, Instant opens) {
    return with(device, new CandidateWindow.Closed(opens));
  }

  private static Candidate with(String device, CandidateWindow window) {
    return candidate(device, false, Map.of(), window, Optional.empty());
  }

  private static Candidate prepared(String device, CandidateWindow window) {
    return candidate(device, true, Map.of(), window, Optional.empty());
  }

  private static Candidate member(String device, String group) {
    return candidate(device, false, Map.of("ha", group), new CandidateWindow.Always(), Optional.empty());
  }

  private static Candidate again(String device, String time) {
    return candidate(device, false, Map.of(), new CandidateWindow.Always(), Optional.of(at(time)));
  }

  private static Candidate candidate(
      String device,
      boolean prepared,
      Map<String, String> groups,
      CandidateWindow window,
      Optional<Instant> notBefore) {
    return new Candidate(
        device,
        prepared,
        groups,
        window,
        new CandidatePresence.Heard(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        notBefore);
  }

  private static Candidate blocked(
      String device, @Nullable String held, @Nullable String busy, @Nullable String outranked) {
    return new Candidate(
        device,
        false,
        Map.of(),
        new CandidateWindow.Always(),
        new CandidatePresence.Heard(),
        Optional.ofNullable(held),
        Optional.empty(),
        Optional.ofNullable(busy),
        Optional.ofNullable(outranked),
        Optional.empty());
  }
}
