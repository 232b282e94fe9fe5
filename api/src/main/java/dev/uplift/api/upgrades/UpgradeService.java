package dev.uplift.api.upgrades;

import dev.uplift.activities.temporal.StartResult;
import dev.uplift.activities.temporal.UpgradeStarter;
import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.request.AuditedTransaction;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.settings.Settings;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.services.upgrade.RevertPlanner;
import dev.uplift.store.device.DeviceRow;
import dev.uplift.store.upgrade.UpgradeRepository;
import dev.uplift.store.upgrade.UpgradeRow;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.device.UpgradePlan.RequiredApproval;
import dev.uplift.workflows.device.UpgradePlan.UpgradeToRevert;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// Starts an upgrade, once: the same id again is the same upgrade.
@Singleton
final class UpgradeService {
  /// A worker writes the row within milliseconds; where none is, nobody waits for long.
  private static final Duration ROW_TIMEOUT = Duration.ofSeconds(3);

  /// The records know of an end a moment before Temporal does.
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  /// Between two looks, doubling up to the second: while hundreds start, each takes its time.
  private static final Duration FIRST_POLL_INTERVAL = Duration.ofMillis(10);

  private static final Duration MAX_POLL_INTERVAL = Duration.ofMillis(320);

  private final UpgradeAdmission admission;
  private final RevertPlanner revertPlanner;
  private final UpgradeStarter starter;
  private final WindowCheck windows;
  private final UpgradeRepository upgrades;
  private final AuditedTransaction transaction;
  private final Settings settings;
  private final InstantSource clock;

  UpgradeService(
      UpgradeAdmission admission,
      RevertPlanner revertPlanner,
      UpgradeStarter starter,
      WindowCheck windows,
      UpgradeRepository upgrades,
      AuditedTransaction transaction,
      Settings settings,
      InstantSource clock) {
    this.admission = admission;
    this.revertPlanner = revertPlanner;
    this.starter = starter;
    this.windows = windows;
    this.upgrades = upgrades;
    this.transaction = transaction;
    this.settings = settings;
    this.clock = clock;
  }

  /// An upgrade that is in the records.
  ///
  /// @param isNew whether this call began it
  record StartedUpgrade(UpgradeRow upgrade, boolean isNew) {}

  StartedUpgrade start(
      RequestContext requestContext, DeviceId device, String id, StartUpgradeRequest request) {
    Optional<UpgradeRow> known = upgrades.find(requestContext.tenant(), id);
    if (known.isPresent()) {
      return new StartedUpgrade(requireSame(known.get(), device, request), false);
    }
    DeviceRow row = admission.requireDevice(device);
    UpgradePlan plan = plan(requestContext, row, id, request);
    admission.requireNotBusy(device);
    admission.requireAdmissible(plan);
    UpgradePlan bound = windows.windowPolicy(row, request).map(plan::withWindow).orElse(plan);
    return startUnlessValidateOnly(requestContext, bound, request.auditText());
  }

  /// Takes an upgrade back that is done.
  StartedUpgrade revert(
      RequestContext requestContext, UpgradeRow done, String id, RevertUpgradeRequest request) {
    Optional<UpgradeRow> known = upgrades.find(requestContext.tenant(), id);
    if (known.isPresent()) {
      return new StartedUpgrade(requireSame(known.get(), done), false);
    }
    return switch (revertPlanner.plan(done)) {
      case RevertPlanner.Revertibility.NotRevertible(String why) ->
          throw ProblemException.conflict(why);
      case RevertPlanner.Revertibility.Revertible revertible -> {
        UpgradePlan plan =
            plan(requestContext, done, revertible.hosts(), id, request)
                .reverting(UpgradeToRevert.of(revertible.upgrade(), revertible.versionsBefore()));
        admission.requireNotBusy(plan.device());
        admission.requireAdmissible(plan);
        yield startUnlessValidateOnly(
            requestContext, plan, request.reason().isEmpty() ? "" : ": " + request.reason());
      }
    };
  }

  private StartedUpgrade startUnlessValidateOnly(
      RequestContext requestContext, UpgradePlan plan, String remark) {
    return requestContext.isValidateOnly()
        ? new StartedUpgrade(expectedRow(plan), true)
        : startAndRecord(requestContext, plan, remark);
  }

  private static UpgradeRow requireSame(UpgradeRow known, UpgradeRow done) {
    if (known.revertOf().equals(Optional.of(done.id()))) {
      return known;
    }
    throw idempotencyKeyTaken(known);
  }

  private static UpgradeRow requireSame(
      UpgradeRow known, DeviceId device, StartUpgradeRequest request) {
    boolean same = known.device().equals(device) && known.release().equals(request.release());
    if (same && known.revertOf().isEmpty()) {
      return known;
    }
    throw idempotencyKeyTaken(known);
  }

  private static ProblemException idempotencyKeyTaken(UpgradeRow known) {
    String what =
        known
            .revertOf()
            .map("what takes back the upgrade %s"::formatted)
            .orElseGet(
                () -> "the upgrade of %s to %s".formatted(known.device().name(), known.release()));
    return ProblemException.conflict(
        "the Idempotency-Key %s is that of %s; another upgrade needs another"
            .formatted(known.id(), what));
  }

  private UpgradePlan plan(
      RequestContext requestContext,
      UpgradeRow done,
      List<HostId> hosts,
      String id,
      RevertUpgradeRequest request) {
    return new UpgradePlan(
        id,
        done.device(),
        hosts,
        done.release(),
        UpgradePlan.Options.ofRevert(request.deadline(clock.instant()), settings.upgradeTimeouts()),
        UpgradePlan.Origin.person(requestContext.caller().name()));
  }

  private UpgradePlan plan(
      RequestContext requestContext, DeviceRow device, String id, StartUpgradeRequest request) {
    var plan =
        new UpgradePlan(
            id,
            device.id(),
            device.hosts(),
            request.release(),
            new UpgradePlan.Options(
                request.rollbackScope(),
                request.allowDowngrade(),
                request.hostSoak(),
                request.deadline(clock.instant()),
                settings.upgradeTimeouts()),
            UpgradePlan.Origin.person(requestContext.caller().name()));
    return request.requireApproval()
        ? plan.withApproval(new RequiredApproval(requestContext.caller().name()))
        : plan;
  }

  private StartedUpgrade startAndRecord(
      RequestContext requestContext, UpgradePlan plan, String remark) {
    return switch (startWhenFree(plan)) {
      case StartResult.Started() -> {
        recordAudit(requestContext, plan, remark);
        yield new StartedUpgrade(awaitRow(plan), true);
      }
      case StartResult.AlreadyRunning() -> new StartedUpgrade(awaitRow(plan), false);
      case StartResult.DeviceBusy(String upgrade) ->
          throw UpgradeAdmission.busy(plan.device(), upgrade);
    };
  }

  private StartResult startWhenFree(UpgradePlan plan) {
    return poll(
        () -> starter.start(plan),
        startResult ->
            !(startResult instanceof StartResult.DeviceBusy(String other)
                && isEnded(plan.device(), other)),
        CLOSE_TIMEOUT);
  }

  private boolean isEnded(DeviceId device, String upgrade) {
    return upgrades.find(device.tenant(), upgrade).flatMap(UpgradeRow::end).isPresent();
  }

  private void recordAudit(RequestContext requestContext, UpgradePlan plan, String remark) {
    String forward = "%s to %s".formatted(plan.release(), plan.device().name());
    String detail =
        plan.revert()
            .map(upgradeToRevert -> upgradeToRevert.upgrade() + ", which brought " + forward)
            .orElse(forward);
    transaction.run(
        requestContext,
        () -> {
          transaction.recordAudit(
              requestContext,
              plan.revert().isPresent() ? "upgrade.revert" : "upgrade.start",
              "upgrade/" + plan.upgrade(),
              detail + remark);
          return plan;
        });
  }

  /// The row, which the workflow's first activity writes; as it will be, if no worker is there.
  private UpgradeRow awaitRow(UpgradePlan plan) {
    return poll(
            () -> upgrades.find(plan.device().tenant(), plan.upgrade()),
            Optional::isPresent,
            ROW_TIMEOUT)
        .orElseGet(() -> expectedRow(plan));
  }

  /// The first answer that will do, or the last one that came in time.
  private static <T> T poll(Supplier<T> ask, Predicate<T> willDo, Duration atMost) {
    Instant end = Instant.now().plus(atMost);
    long pause = FIRST_POLL_INTERVAL.toNanos();
    T answer = ask.get();
    while (!willDo.test(answer) && Instant.now().isBefore(end)) {
      LockSupport.parkNanos(pause);
      pause = Math.min(2 * pause, MAX_POLL_INTERVAL.toNanos());
      answer = ask.get();
    }
    return answer;
  }

  private static UpgradeRow expectedRow(UpgradePlan plan) {
    return new UpgradeRow(
        plan.upgrade(),
        plan.device(),
        plan.release(),
        plan.origin().startedBy(),
        Instant.now(),
        "",
        Optional.empty(),
        plan.revert().map(UpgradeToRevert::upgrade),
        Optional.empty(),
        Optional.empty());
  }
}
