package dev.uplift.services.rollout;

import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.RolloutControl;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.plan.PlanViolation;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.fleet.rollout.plan.WaveSize;
import dev.uplift.fleet.rollout.plan.WaveSpec;
import dev.uplift.fleet.rollout.wave.WaveAssignment;
import dev.uplift.fleet.rollout.wave.WaveAssignment.Assigned;
import dev.uplift.fleet.rollout.wave.WaveAssignment.Refused;
import dev.uplift.services.presence.HostPresence;
import dev.uplift.services.selection.CompiledSelection;
import dev.uplift.services.selection.Selection;
import dev.uplift.services.selection.SelectionError;
import dev.uplift.services.trust.TrustRoots;
import dev.uplift.services.upgrade.FleetUpgradeChecker;
import dev.uplift.store.release.ReleaseRow;
import dev.uplift.store.rollout.NewRollout;
import dev.uplift.store.rollout.RolloutRow;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// Turns a rollout spec into waves of devices. Looks at the whole fleet, and takes a few seconds for a hundred thousand
/// devices.
@Singleton
public final class RolloutPlanner {
  private final RolloutRepositories repositories;
  private final HostPresence presence;
  private final TrustRoots trustRoots;

  public RolloutPlanner(RolloutRepositories repositories, HostPresence presence) {
    this.repositories = repositories;
    this.presence = presence;
    this.trustRoots = new TrustRoots(repositories.common().trustRoots());
  }

  /// Previews the rollout and stores nothing. The id decides which devices are canaries.
  public PlanningResult preview(RolloutId id, RolloutSpec spec) {
    return switch (prepare(id, spec)) {
      case PreparedRollout.Invalid(List<PlanViolation> violations) -> new PlanningResult.Invalid(violations);
      case PreparedRollout.Valid valid -> new PlanningResult.Previewed(valid.preview());
    };
  }

  /// The rollout is in the records with all its devices, which are frozen from now on. Planned if it starts later, else
  /// running as soon as its workflow is started.
  ///
  /// @param by its author
  public PlanningResult create(RolloutId id, RolloutSpec spec, String by) {
    Optional<RolloutRow> known = repositories.rollouts().find(id);
    if (known.isPresent()) {
      return new PlanningResult.AlreadyExists(known.get());
    }
    return switch (prepare(id, spec)) {
      case PreparedRollout.Invalid(List<PlanViolation> violations) -> new PlanningResult.Invalid(violations);
      case PreparedRollout.Valid valid ->
          created(
              id,
              repositories
                  .rollouts()
                  .createIfAbsent(row(id, valid.spec(), state(valid.spec()), by), valid.membership()));
    };
  }

  /// As [#create], with those of these devices only, and in waves that fit them: a wave that takes none of them is left
  /// out.
  ///
  /// @param devices names
  public PlanningResult create(RolloutId id, RolloutSpec spec, Collection<String> devices, String by) {
    Optional<RolloutRow> known = repositories.rollouts().find(id);
    if (known.isPresent()) {
      return new PlanningResult.AlreadyExists(known.get());
    }
    return switch (prepare(id, spec, devices)) {
      case PreparedRollout.Invalid(List<PlanViolation> violations) -> new PlanningResult.Invalid(violations);
      case PreparedRollout.Valid valid ->
          created(
              id,
              repositories
                  .rollouts()
                  .createIfAbsent(row(id, valid.spec(), state(valid.spec()), by), valid.membership()));
    };
  }

  /// As [#preview], with those of these devices only.
  public PlanningResult preview(RolloutId id, RolloutSpec spec, Collection<String> devices) {
    return switch (prepare(id, spec, devices)) {
      case PreparedRollout.Invalid(List<PlanViolation> violations) -> new PlanningResult.Invalid(violations);
      case PreparedRollout.Valid valid -> new PlanningResult.Previewed(valid.preview());
    };
  }

  private PreparedRollout prepare(RolloutId id, RolloutSpec spec, Collection<String> devices) {
    List<DeviceSnapshot> chosen = DeviceSnapshot.load(repositories.common(), id.tenant(), devices);
    PreparedRollout prepared = prepare(id, spec, chosen);
    List<WaveSpec> waves = spec.plan().waves();
    // A plan for many devices may have more waves than there are devices.
    for (int i = waves.size() - 1; i >= 0 && waves.size() > 1; i--) {
      if (!(prepared instanceof PreparedRollout.Invalid invalid) || !isEmptyWave(invalid, i)) {
        continue;
      }
      List<WaveSpec> fewer = new ArrayList<>(waves);
      fewer.remove(i);
      waves = fewer;
      prepared = prepare(id, spec.withPlan(spec.plan().withWaves(waves)), chosen);
    }
    return prepared;
  }

  private static boolean isEmptyWave(PreparedRollout.Invalid invalid, int place) {
    return invalid.faults().stream().anyMatch(fault -> fault.pointer().startsWith("/waves/" + place + "/"));
  }

  /// A draft is in the records. Checked as far as that goes without looking at devices.
  public PlanningResult createDraft(RolloutId id, RolloutSpec spec, String by) {
    Optional<RolloutRow> known = repositories.rollouts().find(id);
    if (known.isPresent()) {
      return new PlanningResult.AlreadyExists(known.get());
    }
    List<PlanViolation> violations = faults(spec.plan(), Instant.now());
    return violations.isEmpty()
        ? created(id, repositories.rollouts().createIfAbsent(row(id, spec, RolloutState.DRAFT, by)))
        : new PlanningResult.Invalid(violations);
  }

  /// Of identical requests at the same moment, one has created it.
  private PlanningResult created(RolloutId id, Optional<RolloutRow> row) {
    return row.<PlanningResult>map(PlanningResult.Created::new)
        .orElseGet(() -> new PlanningResult.AlreadyExists(repositories.rollouts().find(id).orElseThrow()));
  }

  /// The draft says this from now on.
  public PlanningResult updateDraft(RolloutId id, RolloutSpec spec, String by) {
    List<PlanViolation> violations = faults(spec.plan(), Instant.now());
    if (!violations.isEmpty()) {
      return new PlanningResult.Invalid(violations);
    }
    return repositories
        .rollouts()
        .updateDraft(row(id, spec, RolloutState.DRAFT, by))
        .<PlanningResult>map(PlanningResult.Created::new)
        .orElseGet(PlanningResult.DraftNotFound::new);
  }

  /// The draft becomes a rollout, with the devices that its selection takes now.
  public PlanningResult launchDraft(RolloutId id) {
    Optional<RolloutRow> draft = repositories.rollouts().find(id).filter(row -> row.state() == RolloutState.DRAFT);
    if (draft.isEmpty()) {
      return new PlanningResult.DraftNotFound();
    }
    return switch (prepare(id, RolloutJson.readSpec(draft.get().plan()))) {
      case PreparedRollout.Invalid(List<PlanViolation> violations) -> new PlanningResult.Invalid(violations);
      case PreparedRollout.Valid valid -> launchDraft(draft.get(), valid);
    };
  }

  private PlanningResult launchDraft(RolloutRow draft, PreparedRollout.Valid valid) {
    return repositories
        .database()
        .inTransaction(() -> {
          RolloutRow now = repositories.rollouts().lock(draft.id()).orElse(draft);
          if (now.state() != RolloutState.DRAFT || now.revision() != draft.revision()) {
            return new PlanningResult.DraftNotFound();
          }
          RolloutState state = state(valid.spec());
          repositories.rollouts().updateDraft(row(draft.id(), valid.spec(), state, draft.createdBy()));
          repositories.rollouts().freeze(draft.id(), valid.membership());
          return new PlanningResult.Created(
              repositories.rollouts().setState(draft.id(), state, Optional.empty(), "", Optional.empty()));
        });
  }

  private static RolloutState state(RolloutSpec spec) {
    return spec.plan().startAt().filter(Instant.now()::isBefore).isPresent()
        ? RolloutState.PLANNED
        : RolloutState.RUNNING;
  }

  private static NewRollout row(RolloutId id, RolloutSpec spec, RolloutState state, String by) {
    RolloutPlan plan = spec.plan();
    return new NewRollout(
        id,
        spec.title().isBlank() ? plan.release().toString() : spec.title(),
        plan.release(),
        RolloutJson.write(spec),
        RolloutJson.write(RolloutRules.of(plan)),
        RolloutJson.write(RolloutControl.NONE),
        state,
        by,
        plan.startAt(),
        plan.priority());
  }

  private PreparedRollout prepare(RolloutId id, RolloutSpec spec) {
    return prepare(id, spec, () -> DeviceSnapshot.loadAll(repositories.common(), id.tenant()));
  }

  private PreparedRollout prepare(RolloutId id, RolloutSpec spec, List<DeviceSnapshot> devices) {
    return prepare(id, spec, () -> devices);
  }

  private PreparedRollout prepare(RolloutId id, RolloutSpec spec, Supplier<List<DeviceSnapshot>> devices) {
    Instant now = Instant.now();
    RolloutPlan plan = spec.plan();
    List<PlanViolation> violations = new ArrayList<>(faults(plan, now));
    Optional<ReleaseRow> release = repositories.common().releases().find(id.tenant(), plan.release());
    if (release.isEmpty()) {
      violations.add(
          new PlanViolation(
              "/version", "there is no release %s in %s; publish it first".formatted(plan.release(), id.tenant())));
    }
    release.flatMap(trustRoots::untrustedReason).ifPresent(why -> violations.add(new PlanViolation("/version", why)));
    if (!violations.isEmpty()
        || !(Selection.compile(plan.selection()) instanceof CompiledSelection.Valid(Selection which))) {
      return new PreparedRollout.Invalid(violations);
    }
    Instant earliest = plan.startAt().filter(now::isBefore).orElse(now);
    ExclusionRules exclusionRules =
        new ExclusionRules(
            spec,
            FleetUpgradeChecker.loadWithOffers(repositories.common(), presence, release.orElseThrow()),
            RolloutWindows.of(id.tenant(), repositories.labelWindows(), plan),
            repositories.queue().busyElsewhere(id),
            earliest);
    SelectionResult selectionResult = SelectionResult.of(devices.get(), which, exclusionRules);
    return assign(id, spec, exclusionRules, selectionResult);
  }

  private PreparedRollout assign(
      RolloutId id, RolloutSpec spec, ExclusionRules exclusionRules, SelectionResult selectionResult) {
    Optional<PlanViolation> wrong =
        spec.plan().selectionViolation(selectionResult.selectedCount(), selectionResult.totalCount());
    if (wrong.isPresent()) {
      return new PreparedRollout.Invalid(List.of(withWarnings(wrong.get(), selectionResult.warnings())));
    }
    if (selectionResult.participants().isEmpty()) {
      return new PreparedRollout.Invalid(
          List.of(selectionResult.noParticipantsFault(spec.plan().release().toString())));
    }
    RolloutPlan plan = withWaves(spec.plan(), selectionResult.participants().size());
    WaveAssignment waves =
        WaveAssignment.of(
            plan, id.name(), selectionResult.members(presence), selectionResult.matcher(waveSelections(plan)));
    return switch (waves) {
      case Refused(List<PlanViolation> violations) -> new PreparedRollout.Invalid(withPointers(violations));
      case Assigned assigned ->
          new PreparedRollout.Valid(spec.withPlan(plan), assigned.waves(), selectionResult, exclusionRules);
    };
  }

  private static PlanViolation withWarnings(PlanViolation planViolation, List<String> warnings) {
    return warnings.isEmpty()
        ? planViolation
        : new PlanViolation(planViolation.pointer(), planViolation.message() + "; " + String.join("; ", warnings));
  }

  private static List<PlanViolation> withPointers(List<PlanViolation> violations) {
    return violations.stream()
        .map(planViolation ->
            planViolation.pointer().startsWith("/")
                ? planViolation
                : new PlanViolation("/" + planViolation.pointer(), planViolation.message()))
        .toList();
  }

  /// Adds the default waves to the plan, so that it is complete.
  private static RolloutPlan withWaves(RolloutPlan plan, int members) {
    if (!plan.waves().isEmpty()) {
      return plan;
    }
    return plan.withWaves(WaveSpec.defaults(members));
  }

  /// Of the waves of a plan, by their text; those that are right.
  public static Map<String, Selection> waveSelections(RolloutPlan plan) {
    Map<String, Selection> compiled = new HashMap<>();
    for (WaveSpec wave : plan.waves()) {
      if (wave.size() instanceof WaveSize.Matching(String text)
          && Selection.compile(text) instanceof CompiledSelection.Valid(Selection selection)) {
        compiled.put(text, selection);
      }
    }
    return compiled;
  }

  /// All that is wrong with a plan, as far as that can be said without looking at devices.
  static List<PlanViolation> faults(RolloutPlan plan, Instant now) {
    List<PlanViolation> violations = new ArrayList<>(plan.violations(now));
    selectionError(plan.selection()).ifPresent(text -> violations.add(new PlanViolation("/selection", text)));
    for (int i = 0; i < plan.waves().size(); i++) {
      if (plan.waves().get(i).size() instanceof WaveSize.Matching(String text)) {
        String place = "/waves/" + i + "/expression";
        selectionError(text).ifPresent(wrong -> violations.add(new PlanViolation(place, wrong)));
      }
    }
    return violations;
  }

  private static Optional<String> selectionError(String expression) {
    return !expression.isBlank()
            && Selection.compile(expression) instanceof CompiledSelection.Invalid(SelectionError error)
        ? Optional.of(error.toString())
        : Optional.empty();
  }
}
