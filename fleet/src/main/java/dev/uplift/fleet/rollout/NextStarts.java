package dev.uplift.fleet.rollout;

import dev.uplift.fleet.rollout.Decision.Start;
import dev.uplift.fleet.rollout.Decision.Wait;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// The devices that are next, and what is in the way of the others.
///
/// @param start whose upgrade is started
/// @param ahead whose upgrade is started ahead of its window, to prepare
/// @param goOn that have prepared, and are told to go on
/// @param hindrances why the others are not, the most frequent first
public record NextStarts(
    List<String> start, List<String> ahead, List<String> goOn, List<Hindrance> hindrances) {

  public NextStarts {
    start = List.copyOf(start);
    ahead = List.copyOf(ahead);
    goOn = List.copyOf(goOn);
    hindrances = List.copyOf(hindrances);
  }

  /// Takes candidates in their order as long as there is room. A device in whose way something is
  /// does not hold up the next one.
  ///
  /// @param room what the policy allows
  /// @param loads of the groups; grow by what is chosen
  public static NextStarts choose(
      List<Candidate> candidates, Start room, GroupLoads loads, WindowRule rule, Instant now) {
    Choice choice = new Choice(room, loads, rule, now);
    candidates.forEach(choice::consider);
    return choice.made();
  }

  public boolean isEmpty() {
    return start.isEmpty() && ahead.isEmpty() && goOn.isEmpty();
  }

  /// What the rollout waits for if none is next, with the earliest time at which that changes.
  public Wait waiting() {
    return new Wait(
        hindrances.isEmpty() ? Waiting.IN_WORK : hindrances.getFirst().what(),
        hindrances.stream()
            .flatMap(hindrance -> hindrance.until().stream())
            .min(Comparator.naturalOrder()),
        hindrances.stream().map(Hindrance::inWords).collect(Collectors.joining("; ")));
  }

  private static final class Choice {
    private static final Comparator<Hindrance> MOST_FIRST =
        Comparator.comparingInt(Hindrance::devices).reversed().thenComparing(Hindrance::what);

    private final Start room;
    private final GroupLoads loads;
    private final WindowRule rule;
    private final Instant now;
    private final List<String> start = new ArrayList<>();
    private final List<String> ahead = new ArrayList<>();
    private final List<String> goOn = new ArrayList<>();
    private final Map<Waiting, Hindrance> hindrances = new EnumMap<>(Waiting.class);

    Choice(Start room, GroupLoads loads, WindowRule rule, Instant now) {
      this.room = room;
      this.loads = loads;
      this.rule = rule;
      this.now = now;
    }

    void consider(Candidate candidate) {
      inItsWay(candidate)
          .or(() -> take(candidate))
          .ifPresent(found -> hindrances.merge(found.what(), found, Hindrance::and));
    }

    private Optional<Hindrance> inItsWay(Candidate one) {
      return no(one, Waiting.HELD, one.heldBy(), "held by ")
          .or(() -> no(one, Waiting.BUSY, one.busyWith(), "in "))
          .or(() -> no(one, Waiting.OUTRANKED, one.outrankedBy(), "first comes "))
          .or(() ->
              one.notBefore()
                  .filter(now::isBefore)
                  .map(end -> until(one, Waiting.BACK_OFF, end, "again at " + end)));
    }

    /// Takes it, or says why not.
    private Optional<Hindrance> take(Candidate one) {
      WindowFact window =
          rule.mode() == WindowRule.Mode.FORCE ? new WindowFact.Always() : one.window();
      return switch (window) {
        case WindowFact.Always() -> takeNow(one);
        case WindowFact.Open(Instant closes) ->
            now.plus(rule.takes()).isAfter(closes)
                ? Optional.of(
                    until(
                        one,
                        Waiting.WINDOW,
                        closes,
                        "its window closes at %s, too soon".formatted(closes)))
                : takeNow(one);
        case WindowFact.Closed(Instant opens) -> takeAhead(one, opens);
        case WindowFact.Never() ->
            Optional.of(never(one, Waiting.NO_WINDOW, "no window before the deadline"));
      };
    }

    private Optional<Hindrance> takeNow(Candidate one) {
      if (start.size() + goOn.size() >= room.now()) {
        return Optional.of(never(one, Waiting.MAX_PARALLEL, "no room"));
      }
      if (!one.prepared() && started() >= room.together()) {
        return Optional.of(never(one, Waiting.RATE, "started as fast as may be"));
      }
      Optional<String> full = loads.full(one);
      if (full.isPresent()) {
        return Optional.of(never(one, Waiting.GROUP, full.get()));
      }
      loads.add(one);
      (one.prepared() ? goOn : start).add(one.device());
      return Optional.empty();
    }

    private Optional<Hindrance> takeAhead(Candidate one, Instant opens) {
      Instant mayPrepare = opens.minus(rule.prepareAhead());
      boolean takes =
          !one.prepared()
              && !rule.prepareAhead().isZero()
              && !now.isBefore(mayPrepare)
              && ahead.size() < room.ahead()
              && started() < room.together();
      if (takes) {
        ahead.add(one.device());
        return Optional.empty();
      }
      boolean later = !one.prepared() && now.isBefore(mayPrepare);
      return Optional.of(
          until(one, Waiting.WINDOW, later ? mayPrepare : opens, "its window opens at " + opens));
    }

    private int started() {
      return start.size() + ahead.size();
    }

    NextStarts made() {
      return new NextStarts(
          start, ahead, goOn, hindrances.values().stream().sorted(MOST_FIRST).toList());
    }

    private static Optional<Hindrance> no(
        Candidate one, Waiting what, Optional<String> who, String words) {
      return who.map(name -> never(one, what, words + name));
    }

    private static Hindrance never(Candidate one, Waiting what, String why) {
      return new Hindrance(what, 1, Optional.empty(), one.device() + ": " + why);
    }

    private static Hindrance until(Candidate one, Waiting what, Instant end, String why) {
      return new Hindrance(what, 1, Optional.of(end), one.device() + ": " + why);
    }
  }
}
