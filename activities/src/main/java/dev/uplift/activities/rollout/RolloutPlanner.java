package dev.uplift.activities.rollout;

import dev.uplift.activities.device.FleetFacts;
import dev.uplift.activities.presence.Presence;
import dev.uplift.activities.selection.Compiled;
import dev.uplift.activities.selection.Mistake;
import dev.uplift.activities.selection.Selection;
import dev.uplift.activities.trust.Trust;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.Fault;
import dev.uplift.fleet.rollout.RolloutPlan;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.Steering;
import dev.uplift.fleet.rollout.WaveAssignment;
import dev.uplift.fleet.rollout.WaveAssignment.Assigned;
import dev.uplift.fleet.rollout.WaveAssignment.Refused;
import dev.uplift.fleet.rollout.WaveSize;
import dev.uplift.fleet.rollout.WaveSpec;
import dev.uplift.store.NewRollout;
import dev.uplift.store.ReleaseRow;
import dev.uplift.store.RolloutRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Turns a wish for a rollout into waves of devices. Looks at the whole fleet, and takes a few
/// seconds for a hundred thousand devices.
public final class RolloutPlanner {
  private final RolloutTables tables;
  private final Presence presence;
  private final Trust trust;

  public RolloutPlanner(RolloutTables tables, Presence presence) {
    this.tables = tables;
    this.presence = presence;
    this.trust = new Trust(tables.others().roots());
  }

  /// What the rollout would be. Stores nothing. The id decides who the canaries are.
  public Planned preview(RolloutId id, RolloutWish wish) {
    return switch (prepare(id, wish)) {
      case Prepared.Wrong(List<Fault> faults) -> new Planned.Refused(faults);
      case Prepared.Right right -> new Planned.Possible(right.preview());
    };
  }

  /// The rollout is in the records with all its devices, which are frozen from now on. Planned if
  /// it starts later, else running as soon as its workflow is started.
  ///
  /// @param by who wants it
  public Planned create(RolloutId id, RolloutWish wish, String by) {
    Optional<RolloutRow> known = tables.rollouts().find(id);
    if (known.isPresent()) {
      return new Planned.Exists(known.get());
    }
    return switch (prepare(id, wish)) {
      case Prepared.Wrong(List<Fault> faults) -> new Planned.Refused(faults);
      case Prepared.Right right ->
          new Planned.Created(
              tables
                  .rollouts()
                  .create(row(id, right.wish(), state(right.wish()), by), right.membership()));
    };
  }

  /// A draft is in the records. Checked as far as that goes without looking at devices.
  public Planned draft(RolloutId id, RolloutWish wish, String by) {
    Optional<RolloutRow> known = tables.rollouts().find(id);
    if (known.isPresent()) {
      return new Planned.Exists(known.get());
    }
    List<Fault> faults = faults(wish.plan(), Instant.now());
    return faults.isEmpty()
        ? new Planned.Created(tables.rollouts().create(row(id, wish, RolloutState.DRAFT, by)))
        : new Planned.Refused(faults);
  }

  /// The draft says this from now on.
  public Planned redraft(RolloutId id, RolloutWish wish, String by) {
    List<Fault> faults = faults(wish.plan(), Instant.now());
    if (!faults.isEmpty()) {
      return new Planned.Refused(faults);
    }
    return tables
        .rollouts()
        .redraft(row(id, wish, RolloutState.DRAFT, by))
        .<Planned>map(Planned.Created::new)
        .orElseGet(Planned.NoDraft::new);
  }

  /// The draft becomes a rollout, with the devices that its selection takes now.
  public Planned launch(RolloutId id) {
    Optional<RolloutRow> draft =
        tables.rollouts().find(id).filter(row -> row.state() == RolloutState.DRAFT);
    if (draft.isEmpty()) {
      return new Planned.NoDraft();
    }
    return switch (prepare(id, RolloutTexts.wish(draft.get().plan()))) {
      case Prepared.Wrong(List<Fault> faults) -> new Planned.Refused(faults);
      case Prepared.Right right -> launch(draft.get(), right);
    };
  }

  private Planned launch(RolloutRow draft, Prepared.Right right) {
    return tables
        .database()
        .together(() -> {
          RolloutRow now = tables.rollouts().lock(draft.id()).orElse(draft);
          if (now.state() != RolloutState.DRAFT || now.revision() != draft.revision()) {
            return new Planned.NoDraft();
          }
          RolloutState state = state(right.wish());
          tables.rollouts().redraft(row(draft.id(), right.wish(), state, draft.createdBy()));
          tables.rollouts().freeze(draft.id(), right.membership());
          return new Planned.Created(
              tables.rollouts().stand(draft.id(), state, Optional.empty(), "", Optional.empty()));
        });
  }

  private static RolloutState state(RolloutWish wish) {
    return wish.plan().startAt().filter(Instant.now()::isBefore).isPresent()
        ? RolloutState.PLANNED
        : RolloutState.RUNNING;
  }

  private static NewRollout row(RolloutId id, RolloutWish wish, RolloutState state, String by) {
    RolloutPlan plan = wish.plan();
    return new NewRollout(
        id,
        wish.title().isBlank() ? plan.release().toString() : wish.title(),
        plan.release(),
        RolloutTexts.write(wish),
        RolloutTexts.write(RolloutRules.of(plan)),
        RolloutTexts.write(Steering.NONE),
        state,
        by,
        plan.startAt(),
        plan.priority());
  }

  private Prepared prepare(RolloutId id, RolloutWish wish) {
    Instant now = Instant.now();
    RolloutPlan plan = wish.plan();
    List<Fault> faults = new ArrayList<>(faults(plan, now));
    Optional<ReleaseRow> release = tables.others().releases().find(id.tenant(), plan.release());
    if (release.isEmpty()) {
      faults.add(
          new Fault(
              "/version",
              "there is no release %s in %s; publish it first"
                  .formatted(plan.release(), id.tenant())));
    }
    release.flatMap(trust::doubt).ifPresent(why -> faults.add(new Fault("/version", why)));
    if (!faults.isEmpty()
        || !(Selection.compile(plan.selection()) instanceof Compiled.Right(Selection which))) {
      return new Prepared.Wrong(faults);
    }
    Instant earliest = plan.startAt().filter(now::isBefore).orElse(now);
    LeavingOut leaving =
        new LeavingOut(
            wish,
            FleetFacts.read(tables.others(), presence, release.orElseThrow()),
            RolloutWindows.of(id.tenant(), tables.labelWindows(), plan),
            tables.queue().busyElsewhere(id),
            earliest);
    Selected selected = Selected.of(Site.all(tables.others(), id.tenant()), which, leaving);
    return assign(id, wish, leaving, selected);
  }

  private static Prepared assign(
      RolloutId id, RolloutWish wish, LeavingOut leaving, Selected selected) {
    Optional<Fault> wrong = wish.plan().faultOf(selected.taken(), selected.all());
    if (wrong.isPresent()) {
      return new Prepared.Wrong(List.of(with(wrong.get(), selected.warnings())));
    }
    if (selected.in().isEmpty()) {
      return new Prepared.Wrong(List.of(selected.nobody(wish.plan().release().toString())));
    }
    RolloutPlan plan = withWaves(wish.plan(), selected.in().size());
    WaveAssignment waves =
        WaveAssignment.of(plan, id.name(), selected.members(), selected.matcher(expressions(plan)));
    return switch (waves) {
      case Refused(List<Fault> faults) -> new Prepared.Wrong(pointed(faults));
      case Assigned assigned ->
          new Prepared.Right(wish.with(plan), assigned.waves(), selected, leaving);
    };
  }

  private static Fault with(Fault fault, List<String> warnings) {
    return warnings.isEmpty()
        ? fault
        : new Fault(fault.pointer(), fault.detail() + "; " + String.join("; ", warnings));
  }

  private static List<Fault> pointed(List<Fault> faults) {
    return faults.stream()
        .map(fault ->
            fault.pointer().startsWith("/")
                ? fault
                : new Fault("/" + fault.pointer(), fault.detail()))
        .toList();
  }

  /// The waves that nobody wrote stand in the plan too, so that it says all.
  private static RolloutPlan withWaves(RolloutPlan plan, int members) {
    if (!plan.waves().isEmpty()) {
      return plan;
    }
    return plan.withWaves(WaveSpec.usual(members));
  }

  /// Of the waves of a plan, by their text; those that are right.
  static Map<String, Selection> expressions(RolloutPlan plan) {
    Map<String, Selection> compiled = new HashMap<>();
    for (WaveSpec wave : plan.waves()) {
      if (wave.size() instanceof WaveSize.Matching(String text)
          && Selection.compile(text) instanceof Compiled.Right(Selection selection)) {
        compiled.put(text, selection);
      }
    }
    return compiled;
  }

  /// All that is wrong with a plan, as far as that can be said without looking at devices.
  static List<Fault> faults(RolloutPlan plan, Instant now) {
    List<Fault> faults = new ArrayList<>(plan.faults(now));
    mistake(plan.selection()).ifPresent(text -> faults.add(new Fault("/selection", text)));
    for (int i = 0; i < plan.waves().size(); i++) {
      if (plan.waves().get(i).size() instanceof WaveSize.Matching(String text)) {
        String place = "/waves/" + i + "/expression";
        mistake(text).ifPresent(wrong -> faults.add(new Fault(place, wrong)));
      }
    }
    return faults;
  }

  private static Optional<String> mistake(String expression) {
    return !expression.isBlank()
            && Selection.compile(expression) instanceof Compiled.Wrong(Mistake mistake)
        ? Optional.of(mistake.toString())
        : Optional.empty();
  }
}
