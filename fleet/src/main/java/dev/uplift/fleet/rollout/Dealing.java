package dev.uplift.fleet.rollout;

import dev.uplift.fleet.rollout.WaveAssignment.Assigned;
import dev.uplift.fleet.rollout.WaveAssignment.Refused;
import dev.uplift.fleet.rollout.WaveSize.Count;
import dev.uplift.fleet.rollout.WaveSize.Matching;
import dev.uplift.fleet.rollout.WaveSize.PerValue;
import dev.uplift.fleet.rollout.WaveSize.Percent;
import dev.uplift.fleet.rollout.WaveSize.Rest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Deals devices out to waves.
final class Dealing {
  private final HashOrder order;
  private final Matcher matcher;
  private final int all;
  private final SequencedMap<String, Member> left = new LinkedHashMap<>();
  private final List<Wave> waves = new ArrayList<>();
  private final Faults faults = Faults.none();

  /// Of a hundred, all percentages so far.
  private int percent;

  Dealing(String salt, List<Member> members, Matcher matcher) {
    this.order = new HashOrder(salt);
    this.matcher = matcher;
    this.all = members.size();
    order.of(members.stream()).forEach(member -> left.put(member.device(), member));
  }

  WaveAssignment deal(List<WaveSpec> specs) {
    for (int place = 0; place < specs.size(); place++) {
      WaveSpec spec = specs.get(place);
      if (spec.size() instanceof PerValue(String label)) {
        dealPerValue(place, spec, label);
      } else {
        add(place, spec, Optional.empty(), take(spec));
      }
    }
    nobodyIsLeft();
    return faults.all().isEmpty() ? new Assigned(List.copyOf(waves)) : new Refused(faults.all());
  }

  private List<Member> take(WaveSpec spec) {
    return switch (spec.size()) {
      case Count(int devices) -> pick(devices, spec.spreadOver());
      case Percent(int share) -> pick(toReach(share), spec.spreadOver());
      case Matching(String expression) ->
          left.values().stream().filter(member -> matcher.matches(expression, member)).toList();
      case PerValue _, Rest _ -> List.copyOf(left.values());
    };
  }

  /// Rounded up as a sum, so that percentages that make 100 leave nobody over.
  private int toReach(int share) {
    int before = rounded(percent);
    percent += share;
    return rounded(percent) - before;
  }

  private int rounded(int share) {
    return Math.toIntExact(((long) all * share + 99) / 100);
  }

  private List<Member> pick(int devices, Optional<String> spreadOver) {
    return spreadOver.map(this::inTurns).orElseGet(() -> List.copyOf(left.values())).stream()
        .limit(devices)
        .toList();
  }

  /// One of each value of the label, then the second of each, and so on; those without it last.
  private List<Member> inTurns(String label) {
    Map<String, Deque<Member>> labelled = new TreeMap<>(byHash());
    List<Member> without = new ArrayList<>();
    for (Member member : left.values()) {
      member
          .label(label)
          .ifPresentOrElse(
              value -> labelled.computeIfAbsent(value, _ -> new ArrayDeque<>()).add(member),
              () -> without.add(member));
    }
    List<Member> turns = new ArrayList<>(left.size());
    while (!labelled.isEmpty()) {
      labelled.values().forEach(queue -> turns.add(queue.remove()));
      labelled.values().removeIf(Collection::isEmpty);
    }
    turns.addAll(without);
    return turns;
  }

  /// Not by name, or the first in the alphabet would always go ahead.
  private Comparator<String> byHash() {
    return Comparator.<String>comparingLong(order::key).thenComparing(Comparator.naturalOrder());
  }

  private void dealPerValue(int place, WaveSpec spec, String label) {
    Map<String, List<Member>> byValue = new TreeMap<>();
    for (Member member : left.values()) {
      member
          .label(label)
          .ifPresent(value -> byValue.computeIfAbsent(value, _ -> new ArrayList<>()).add(member));
    }
    if (byValue.isEmpty()) {
      add(place, spec, Optional.empty(), List.of());
    }
    byValue.forEach((value, members) -> add(place, spec, Optional.of(value), members));
    faults.expect(
        waves.size() <= RolloutPlan.MOST_WAVES,
        "waves/" + place + "/per_label",
        "makes %s; expected a label with fewer values, for there are at most %d waves"
            .formatted(byValue.size() + " waves", RolloutPlan.MOST_WAVES));
  }

  private void add(int place, WaveSpec spec, Optional<String> value, List<Member> members) {
    faults.expect(!members.isEmpty(), "waves/" + place + "/" + spec.size().field(), nobody(spec));
    members.forEach(member -> left.remove(member.device()));
    int number = waves.size() + 1;
    waves.add(
        new Wave(
            number,
            place,
            spec,
            title(number, spec, value),
            value,
            members.stream().map(Member::device).toList()));
  }

  private static String title(int number, WaveSpec spec, Optional<String> value) {
    return switch (spec.size()) {
      case Count(int devices) when number == 1 -> devices == 1 ? "canary" : devices + " canaries";
      case PerValue(String label) when value.isPresent() -> label + " = " + value.get();
      default -> spec.size().inWords();
    };
  }

  private String nobody(WaveSpec spec) {
    return switch (spec.size()) {
      case Matching _ -> "is true of no device that is in no wave yet; expected at least one";
      case PerValue(String label) ->
          "no device that is in no wave yet has the label %s; expected at least one"
              .formatted(label);
      default ->
          "the waves before it take all %s; expected fewer waves, or smaller ones"
              .formatted(Words.devices(all));
    };
  }

  private void nobodyIsLeft() {
    if (!left.isEmpty()) {
      faults.expect(
          false,
          "waves",
          "leave over %d of %s, %s for one; expected a last wave {\"rest\": true}"
              .formatted(left.size(), Words.devices(all), left.firstEntry().getKey()));
    }
  }
}
