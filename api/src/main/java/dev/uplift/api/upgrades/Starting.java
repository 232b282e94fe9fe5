package dev.uplift.api.upgrades;

import dev.uplift.activities.device.Reverts;
import dev.uplift.activities.temporal.Start;
import dev.uplift.activities.temporal.UpgradeStarter;
import dev.uplift.api.call.Call;
import dev.uplift.api.call.Changes;
import dev.uplift.api.problem.Refusal;
import dev.uplift.api.settings.Settings;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Reach;
import dev.uplift.store.DeviceRow;
import dev.uplift.store.UpgradeRow;
import dev.uplift.store.Upgrades;
import dev.uplift.workflows.device.Approval;
import dev.uplift.workflows.device.Revert;
import dev.uplift.workflows.device.UpgradePlan;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// Starts an upgrade, once: the same id again is the same upgrade.
@Singleton
final class Starting {
  /// A worker writes the row within milliseconds; where none is, nobody waits for long.
  private static final Duration FOR_THE_ROW = Duration.ofSeconds(3);

  /// The records know of an end a moment before Temporal does.
  private static final Duration FOR_THE_CLOSE = Duration.ofSeconds(10);

  /// Between two looks, doubling up to the second: while hundreds start, each takes its time.
  private static final Duration LOOK_AGAIN = Duration.ofMillis(10);

  private static final Duration LOOK_AGAIN_LAST = Duration.ofMillis(320);

  private final Preconditions preconditions;
  private final Reverts reverts;
  private final UpgradeStarter starter;
  private final WindowCheck windows;
  private final Upgrades upgrades;
  private final Changes changes;
  private final Settings settings;

  Starting(
      Preconditions preconditions,
      Reverts reverts,
      UpgradeStarter starter,
      WindowCheck windows,
      Upgrades upgrades,
      Changes changes,
      Settings settings) {
    this.preconditions = preconditions;
    this.reverts = reverts;
    this.starter = starter;
    this.windows = windows;
    this.upgrades = upgrades;
    this.changes = changes;
    this.settings = settings;
  }

  /// An upgrade that is in the records.
  ///
  /// @param isNew whether this call began it
  record Begun(UpgradeRow upgrade, boolean isNew) {}

  Begun start(Call call, DeviceId device, String id, UpgradeWish wish) {
    Optional<UpgradeRow> known = upgrades.find(call.tenant(), id);
    if (known.isPresent()) {
      return new Begun(same(known.get(), device, wish), false);
    }
    DeviceRow row = preconditions.device(device);
    UpgradePlan plan = plan(call, row, id, wish);
    preconditions.checkFree(device);
    preconditions.check(plan);
    UpgradePlan bound = windows.terms(row, wish).map(plan::within).orElse(plan);
    return beginUnlessValidating(call, bound, wish.window().inWords());
  }

  /// Takes an upgrade back that is done.
  Begun revert(Call call, UpgradeRow done, String id, RevertWish wish) {
    Optional<UpgradeRow> known = upgrades.find(call.tenant(), id);
    if (known.isPresent()) {
      return new Begun(same(known.get(), done), false);
    }
    return switch (reverts.of(done)) {
      case Reverts.Found.Nothing(String why) -> throw Refusal.conflict(why);
      case Reverts.Found.Something(List<HostId> hosts, Revert revert) -> {
        UpgradePlan plan = plan(call, done, hosts, id, wish).takingBack(revert);
        preconditions.checkFree(plan.device());
        preconditions.check(plan);
        yield beginUnlessValidating(
            call, plan, wish.reason().isEmpty() ? "" : ": " + wish.reason());
      }
    };
  }

  private Begun beginUnlessValidating(Call call, UpgradePlan plan, String remark) {
    return call.validates() ? new Begun(unwritten(plan), true) : begin(call, plan, remark);
  }

  private static UpgradeRow same(UpgradeRow known, UpgradeRow done) {
    if (known.revertOf().equals(Optional.of(done.id()))) {
      return known;
    }
    throw taken(known);
  }

  private static UpgradeRow same(UpgradeRow known, DeviceId device, UpgradeWish wish) {
    boolean same = known.device().equals(device) && known.release().equals(wish.release());
    if (same && known.revertOf().isEmpty()) {
      return known;
    }
    throw taken(known);
  }

  private static Refusal taken(UpgradeRow known) {
    String what =
        known
            .revertOf()
            .map("what takes back the upgrade %s"::formatted)
            .orElseGet(
                () -> "the upgrade of %s to %s".formatted(known.device().name(), known.release()));
    return Refusal.conflict(
        "the Idempotency-Key %s is that of %s; another upgrade needs another"
            .formatted(known.id(), what));
  }

  private UpgradePlan plan(
      Call call, UpgradeRow done, List<HostId> hosts, String id, RevertWish wish) {
    return new UpgradePlan(
        id,
        done.device(),
        hosts,
        done.release(),
        Reach.DEVICE,
        false,
        call.caller().name(),
        true,
        Duration.ZERO,
        wish.notAfter(),
        settings.pace());
  }

  private UpgradePlan plan(Call call, DeviceRow device, String id, UpgradeWish wish) {
    var plan =
        new UpgradePlan(
            id,
            device.id(),
            device.hosts(),
            wish.release(),
            wish.reach(),
            wish.allowDowngrade(),
            call.caller().name(),
            true,
            wish.soak(),
            wish.notAfter(),
            settings.pace());
    return wish.approval() ? plan.after(new Approval(call.caller().name())) : plan;
  }

  private Begun begin(Call call, UpgradePlan plan, String remark) {
    return switch (startWhenFree(plan)) {
      case Start.Started() -> {
        note(call, plan, remark);
        yield new Begun(written(plan), true);
      }
      case Start.Same() -> new Begun(written(plan), false);
      case Start.Busy(String upgrade) -> throw Preconditions.busy(plan.device(), upgrade);
    };
  }

  private Start startWhenFree(UpgradePlan plan) {
    return again(
        () -> starter.start(plan),
        start -> !(start instanceof Start.Busy(String other) && isOver(plan.device(), other)),
        FOR_THE_CLOSE);
  }

  private boolean isOver(DeviceId device, String upgrade) {
    return upgrades.find(device.tenant(), upgrade).flatMap(UpgradeRow::end).isPresent();
  }

  private void note(Call call, UpgradePlan plan, String remark) {
    String forward = "%s to %s".formatted(plan.release(), plan.device().name());
    String detail =
        plan.revert().map(done -> done.upgrade() + ", which brought " + forward).orElse(forward);
    changes.make(
        call,
        () -> {
          changes.note(
              call,
              plan.revert().isPresent() ? "upgrade.revert" : "upgrade.start",
              "upgrade/" + plan.upgrade(),
              detail + remark);
          return plan;
        });
  }

  /// The row, which the workflow's first activity writes; as it will be, if no worker is there.
  private UpgradeRow written(UpgradePlan plan) {
    return again(
            () -> upgrades.find(plan.device().tenant(), plan.upgrade()),
            Optional::isPresent,
            FOR_THE_ROW)
        .orElseGet(() -> unwritten(plan));
  }

  /// The first answer that will do, or the last one that came in time.
  private static <T> T again(Supplier<T> ask, Predicate<T> willDo, Duration atMost) {
    Instant end = Instant.now().plus(atMost);
    long pause = LOOK_AGAIN.toNanos();
    T answer = ask.get();
    while (!willDo.test(answer) && Instant.now().isBefore(end)) {
      LockSupport.parkNanos(pause);
      pause = Math.min(2 * pause, LOOK_AGAIN_LAST.toNanos());
      answer = ask.get();
    }
    return answer;
  }

  private static UpgradeRow unwritten(UpgradePlan plan) {
    return new UpgradeRow(
        plan.upgrade(),
        plan.device(),
        plan.release(),
        plan.startedBy(),
        Instant.now(),
        "",
        Optional.empty(),
        plan.revert().map(Revert::upgrade),
        Optional.empty(),
        Optional.empty());
  }
}
