package dev.uplift.api.rollouts;

import dev.uplift.activities.rollout.Planned;
import dev.uplift.activities.rollout.Preview;
import dev.uplift.activities.rollout.RolloutPlanner;
import dev.uplift.activities.rollout.RolloutTexts;
import dev.uplift.activities.rollout.RolloutWish;
import dev.uplift.activities.temporal.RolloutStarter;
import dev.uplift.activities.temporal.TemporalAway;
import dev.uplift.api.call.Call;
import dev.uplift.api.call.Changes;
import dev.uplift.api.problem.Fault;
import dev.uplift.api.problem.Refusal;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.RolloutPlan;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.store.Expected;
import dev.uplift.store.RolloutRow;
import dev.uplift.store.Rollouts;
import jakarta.inject.Singleton;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Brings rollouts into the records, and starts them. The row comes first: one whose workflow could
/// not be started is found by its row, and started then.
@Singleton
final class Creating {
  private static final Logger LOG = LoggerFactory.getLogger(Creating.class);

  private final RolloutPlanner planner;
  private final RolloutStarter starter;
  private final Rollouts rollouts;
  private final Changes changes;

  Creating(RolloutPlanner planner, RolloutStarter starter, Rollouts rollouts, Changes changes) {
    this.planner = planner;
    this.starter = starter;
    this.rollouts = rollouts;
    this.changes = changes;
  }

  /// A rollout that is in the records.
  ///
  /// @param isNew whether this call brought it there
  record Made(RolloutRow row, boolean isNew) {}

  /// What it would be, or why it would not.
  Preview preview(RolloutId id, RolloutWish wish) {
    rollouts.find(id).ifPresent(known -> refuseUnlessSame(known, wish));
    return preview(planner.preview(id, wish));
  }

  /// With so many a draft would start, or why it would not.
  int devicesOfDraft(RolloutRow draft) {
    return preview(planner.preview(draft.id(), RolloutTexts.wish(draft.plan()))).devices();
  }

  private static Preview preview(Planned planned) {
    return switch (planned) {
      case Planned.Possible(Preview preview) -> preview;
      case Planned.Refused(List<dev.uplift.fleet.rollout.Fault> faults) -> throw refused(faults);
      case Planned.Created _, Planned.Exists _, Planned.NoDraft _ ->
          throw new IllegalStateException("a preview stores nothing: " + planned);
    };
  }

  Made create(Call call, RolloutId id, Asked asked) {
    RolloutWish wish = asked.wish();
    String by = call.caller().name();
    Made made =
        changes.make(
            call,
            () ->
                made(
                    call,
                    "rollout.create",
                    asked.draft() ? planner.draft(id, wish, by) : planner.create(id, wish, by)));
    if (!made.isNew()) {
      refuseUnlessSame(made.row(), wish);
    }
    start(made.row());
    return made;
  }

  /// The draft is what `wish` says from now on. Within [Changes#make].
  RolloutRow redraft(Call call, RolloutRow draft, RolloutWish wish) {
    return made(call, "rollout.patch", planner.redraft(draft.id(), wish, draft.createdBy())).row();
  }

  /// The draft becomes a rollout.
  RolloutRow launch(Call call, RolloutId id, Expected expected) {
    RolloutRow row =
        changes.make(
            call,
            () -> {
              RolloutRow _ = RolloutController.expected(expected, lockedDraft(id));
              return made(call, "rollout.start", planner.launch(id)).row();
            });
    start(row);
    return row;
  }

  private Made made(Call call, String action, Planned planned) {
    return switch (planned) {
      case Planned.Created(RolloutRow row) -> {
        changes.note(call, action, "rollout/" + row.id().name(), row.plan());
        yield new Made(row, true);
      }
      case Planned.Exists(RolloutRow row) -> new Made(row, false);
      case Planned.Refused(List<dev.uplift.fleet.rollout.Fault> faults) -> throw refused(faults);
      case Planned.NoDraft() -> throw Refusal.conflict("it is no draft any more; read it again");
      case Planned.Possible _ ->
          throw new IllegalStateException("asked for more than a preview: " + planned);
    };
  }

  private void start(RolloutRow row) {
    if (row.state() == RolloutState.DRAFT || row.state() == RolloutState.ENDED) {
      return;
    }
    try {
      starter.start(row);
    } catch (TemporalAway e) {
      LOG.warn("rollout {} is in the records and starts later: {}", row.id(), e.getMessage());
    }
  }

  private static void refuseUnlessSame(RolloutRow known, RolloutWish wish) {
    RolloutWish before = RolloutTexts.wish(known.plan());
    RolloutWish now = wish.plan().waves().isEmpty() ? withWaves(wish, before.plan()) : wish;
    if (!now.equals(before)) {
      throw Refusal.conflict(
          "the Idempotency-Key %s is that of the rollout \"%s\" by %s; another rollout needs another"
              .formatted(known.id().name(), known.title(), known.createdBy()));
    }
  }

  /// The waves that nobody wrote stand in the records.
  private static RolloutWish withWaves(RolloutWish wish, RolloutPlan before) {
    RolloutPlan plan = wish.plan();
    return new RolloutWish(
        wish.title(),
        plan.withWaves(before.waves()),
        wish.reach(),
        wish.hostSoak(),
        wish.allowDowngrade());
  }

  /// 422: what is wrong shows only when one looks at releases and devices.
  static Refusal refused(List<dev.uplift.fleet.rollout.Fault> faults) {
    return Refusal.unacceptable(
        faults.stream().map(fault -> Fault.at(fault.pointer(), fault.detail())).toList());
  }

  /// A draft, which is there, and which nobody else changes meanwhile. Within [Changes#make].
  RolloutRow lockedDraft(RolloutId id) {
    RolloutRow row = rollouts.lock(id).orElseGet(() -> find(id));
    if (row.state() != RolloutState.DRAFT) {
      throw Refusal.conflict("the rollout is %s; expected a draft".formatted(row.state()));
    }
    return row;
  }

  RolloutRow find(RolloutId id) {
    return rollouts
        .find(id)
        .orElseThrow(() ->
            Refusal.notFound("there is no rollout %s in %s".formatted(id.name(), id.tenant())));
  }
}
