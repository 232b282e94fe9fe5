package dev.uplift.activities.rollout;

import dev.uplift.activities.device.FleetFacts;
import dev.uplift.activities.presence.Presence;
import dev.uplift.activities.selection.Compiled;
import dev.uplift.activities.selection.Selection;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.Matcher;
import dev.uplift.fleet.rollout.Member;
import dev.uplift.fleet.rollout.RolloutPlan;
import dev.uplift.fleet.rollout.Wave;
import dev.uplift.fleet.rollout.WaveAssignment;
import dev.uplift.fleet.rollout.WaveSize;
import dev.uplift.fleet.rollout.WaveSpec;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.ReleaseRow;
import dev.uplift.store.RolloutRow;
import dev.uplift.store.TargetFilter;
import dev.uplift.store.TargetRow;
import dev.uplift.store.WaveRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// Takes devices into a rollout that runs which its selection has become true of, and those whose
/// reason to be left out is gone. They are the last of their wave. Looks at the whole fleet.
final class LateJoining {
  private static final PageRequest PAGE = PageRequest.first(PageRequest.MOST);

  private final RolloutTables tables;
  private final Presence presence;

  LateJoining(RolloutTables tables, Presence presence) {
    this.tables = tables;
    this.presence = presence;
  }

  /// To be called without the lock of the rollout.
  void join(RolloutRow row, RolloutWish wish) {
    RolloutPlan plan = wish.plan();
    Optional<ReleaseRow> release =
        tables.others().releases().find(row.id().tenant(), row.release());
    if (release.isEmpty()
        || !(Selection.compile(plan.selection()) instanceof Compiled.Right(Selection which))) {
      return;
    }
    Set<String> members = members(row.id());
    List<Site> strangers =
        Site.all(tables.others(), row.id().tenant()).stream()
            .filter(site -> !members.contains(site.name()))
            .toList();
    Selected fresh = Selected.of(strangers, which, leaving(row, wish, release.get()));
    if (!fresh.in().isEmpty()) {
      join(row, plan, fresh);
    }
  }

  private Set<String> members(RolloutId id) {
    Set<String> members = new HashSet<>();
    Optional<PageRequest> next = Optional.of(PAGE);
    while (next.isPresent()) {
      Page<TargetRow> page = tables.counts().list(id, TargetFilter.ALL, next.get());
      page.rows().forEach(target -> members.add(target.device()));
      next = PAGE.after(page);
    }
    return members;
  }

  private LeavingOut leaving(RolloutRow row, RolloutWish wish, ReleaseRow release) {
    return new LeavingOut(
        wish,
        FleetFacts.read(tables.others(), presence, release),
        RolloutWindows.of(row.id().tenant(), tables.labelWindows(), wish.plan()),
        tables.queue().busyElsewhere(row.id()),
        Instant.now());
  }

  private void join(RolloutRow row, RolloutPlan plan, Selected fresh) {
    Matcher matcher = fresh.matcher(RolloutPlanner.expressions(plan));
    tables
        .database()
        .together(() -> {
          Optional<RolloutRow> now =
              tables.rollouts().lock(row.id()).filter(found -> found.endedAt().isEmpty());
          now.ifPresent(found ->
              waves(found, plan, fresh.members(), matcher)
                  .forEach((wave, devices) -> tables.targets().join(row.id(), wave, devices)));
          return now;
        });
  }

  private Map<Integer, List<String>> waves(
      RolloutRow row, RolloutPlan plan, List<Member> members, Matcher matcher) {
    List<Wave> waves =
        tables.waves().list(row.id()).stream().map(wave -> wave(plan, wave)).toList();
    Map<Integer, List<String>> joining = new TreeMap<>();
    for (Member member : members) {
      int wave = WaveAssignment.ofLateJoiner(waves, row.currentWave(), member, matcher);
      joining.computeIfAbsent(wave, _ -> new ArrayList<>()).add(member.device());
    }
    return joining;
  }

  private static Wave wave(RolloutPlan plan, WaveRow row) {
    WaveSpec spec = Deciding.spec(plan, row.place());
    return new Wave(
        row.number(), row.place(), spec, row.title(), value(spec, row.title()), List.of());
  }

  /// The title of a wave that is made for a value of a label ends with it.
  private static Optional<String> value(WaveSpec spec, String title) {
    return spec.size() instanceof WaveSize.PerValue(String label) && title.startsWith(label + " = ")
        ? Optional.of(title.substring(label.length() + " = ".length()))
        : Optional.empty();
  }
}
