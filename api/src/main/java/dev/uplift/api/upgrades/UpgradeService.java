package dev.uplift.api.upgrades;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.activities.device.UpgradeRecorder;
import dev.uplift.activities.device.UpgradeRecorder.RecordResult;
import dev.uplift.activities.temporal.UpgradeWorkflowClient;
import dev.uplift.activities.temporal.UpgradeWorkflowClient.StartResult;
import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.problem.RequestError;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.timeouts.StepTimeoutAdmission;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.StepTimeouts;
import dev.uplift.services.Repositories;
import dev.uplift.services.upgrade.ConcurrentStarts;
import dev.uplift.services.upgrade.ParticipatingHosts;
import dev.uplift.services.upgrade.RecordedPlan;
import dev.uplift.services.upgrade.RevertPlanner;
import dev.uplift.store.device.DeviceRow;
import dev.uplift.store.release.ReleaseRow;
import dev.uplift.store.upgrade.NewUpgrade;
import dev.uplift.store.upgrade.UpgradeRow;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.device.UpgradePlan.RequiredApproval;
import dev.uplift.workflows.device.UpgradePlan.StartRequest;
import dev.uplift.workflows.device.UpgradePlan.UpgradeToRevert;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/// Starts an upgrade, once: the same id again is the same upgrade.
///
/// The workflow is started first. Then its row is written together with the audit, here or by the first activity of the
/// workflow, whichever comes first: the answer waits for no worker, and a server that is killed in between leaves no
/// row without a workflow.
///
/// What is checked before is read in one transaction, because a connection and its end cost more than most reads.
@Singleton
final class UpgradeService {
  /// How long a start waits for its turn.
  private static final Duration MAX_WAIT = Duration.ofSeconds(20);

  private final UpgradeAdmission admission;
  private final RevertPlanner revertPlanner;
  private final UpgradeWorkflowClient workflows;
  private final WindowCheck windows;
  private final Repositories repositories;
  private final UpgradeRecorder recorder;
  private final StepTimeoutAdmission timeouts;
  private final ConcurrentStarts concurrentStarts;
  private final InstantSource clock;

  UpgradeService(
      UpgradeAdmission admission,
      RevertPlanner revertPlanner,
      UpgradeWorkflowClient workflows,
      WindowCheck windows,
      Repositories repositories,
      UpgradeRecorder recorder,
      StepTimeoutAdmission timeouts,
      ConcurrentStarts concurrentStarts,
      InstantSource clock) {
    this.admission = admission;
    this.revertPlanner = revertPlanner;
    this.workflows = workflows;
    this.windows = windows;
    this.repositories = repositories;
    this.recorder = recorder;
    this.timeouts = timeouts;
    this.concurrentStarts = concurrentStarts;
    this.clock = clock;
  }

  /// @param isNew whether this call started it
  record StartedUpgrade(UpgradeRow upgrade, boolean isNew) {}

  /// What is to be done about a request.
  private sealed interface Checked {
    /// The upgrade was started before.
    record Known(UpgradeRow row) implements Checked {}

    /// It may be started.
    record Startable(UpgradePlan plan) implements Checked {}
  }

  StartedUpgrade start(RequestContext requestContext, DeviceId device, String id, StartUpgradeRequest request) {
    return start(requestContext, () -> check(requestContext, device, id, request));
  }

  private StartedUpgrade start(RequestContext requestContext, Supplier<Checked> check) {
    return concurrentStarts
        .tryRun(MAX_WAIT, () -> checkAndStart(requestContext, check))
        .orElseThrow(() ->
            ProblemException.of(
                    HttpStatus.SERVICE_UNAVAILABLE,
                    "too many upgrades are being started now; nothing was done, try again")
                .withHeader("Retry-After", "5"));
  }

  private StartedUpgrade checkAndStart(RequestContext requestContext, Supplier<Checked> check) {
    return switch (repositories.database().inTransaction(check)) {
      case Checked.Known(UpgradeRow row) -> new StartedUpgrade(row, false);
      case Checked.Startable(UpgradePlan plan) -> startUnlessValidateOnly(requestContext, plan);
    };
  }

  private Checked check(RequestContext requestContext, DeviceId device, String id, StartUpgradeRequest request) {
    List<UpgradeRow> found = repositories.upgrades().listIdAndRunning(requestContext.tenant(), id, device.name());
    Optional<UpgradeRow> known = found.stream().filter(row -> row.id().equals(id)).findFirst();
    if (known.isPresent()) {
      return new Checked.Known(requireSame(known.get(), device, request.release(), Optional.empty(), digest(request)));
    }
    requireOwnKey(id);
    DeviceRow row = admission.requireDevice(device);
    Optional<ReleaseRow> release = repositories.releases().find(device.tenant(), request.release());
    UpgradePlan plan = plan(requestContext, row, release, id, request);
    UpgradeAdmission.requireNotBusy(device, found);
    admission.requireAdmissible(plan, release);
    return new Checked.Startable(windows.windowPolicy(row, request).map(plan::withWindow).orElse(plan));
  }

  /// Reverts a finished upgrade.
  StartedUpgrade revert(RequestContext requestContext, UpgradeRow done, String id, RevertUpgradeRequest request) {
    return start(requestContext, () -> check(requestContext, done, id, request));
  }

  private Checked check(RequestContext requestContext, UpgradeRow done, String id, RevertUpgradeRequest request) {
    DeviceId device = done.device();
    List<UpgradeRow> found = repositories.upgrades().listIdAndRunning(device.tenant(), id, device.name());
    Optional<UpgradeRow> known = found.stream().filter(row -> row.id().equals(id)).findFirst();
    if (known.isPresent()) {
      return new Checked.Known(
          requireSame(known.get(), device, done.release(), Optional.of(done.id()), digest(request)));
    }
    requireOwnKey(id);
    return switch (revertPlanner.plan(done)) {
      case RevertPlanner.Revertibility.NotRevertible(String why) -> throw ProblemException.conflict(why);
      case RevertPlanner.Revertibility.Revertible revertible -> {
        Optional<ReleaseRow> release = repositories.releases().find(device.tenant(), done.release());
        UpgradePlan plan =
            plan(requestContext, done, revertible.hosts(), release, id, request)
                .reverting(UpgradeToRevert.of(revertible.upgrade(), revertible.versionsBefore()));
        UpgradeAdmission.requireNotBusy(device, found);
        admission.requireAdmissible(plan, release);
        yield new Checked.Startable(plan);
      }
    };
  }

  private StartedUpgrade startUnlessValidateOnly(RequestContext requestContext, UpgradePlan plan) {
    return requestContext.isValidateOnly() ? new StartedUpgrade(expectedRow(plan), true) : startAndRecord(plan);
  }

  private static UpgradeRow requireSame(
      UpgradeRow known, DeviceId device, Release release, Optional<String> revertOf, String digest) {
    boolean isSame =
        known.device().equals(device) && known.release().equals(release) && known.revertOf().equals(revertOf);
    if (!isSame) {
      throw keyTaken(known);
    }
    Optional<RecordedPlan> plan = RecordedPlan.read(known.plan());
    if (plan.isPresent() && !plan.get().requestDigest().equals(Optional.of(digest))) {
      throw ProblemException.conflict(
          "the Idempotency-Key %s is that of the same upgrade with other options; another upgrade needs another"
              .formatted(known.id()));
    }
    return known;
  }

  /// Returns what is equal for equal requests.
  private static String digest(Record request) {
    return UUID.nameUUIDFromBytes(request.toString().getBytes(UTF_8)).toString();
  }

  /// Ids with a dot are those of upgrades that a rollout starts.
  private static void requireOwnKey(String id) {
    if (id.contains(".")) {
      throw ProblemException.badRequest(
          RequestError.header(
              "Idempotency-Key", "expected a key without a dot: ids with a dot belong to upgrades of rollouts"));
    }
  }

  private static ProblemException keyTaken(UpgradeRow known) {
    String other =
        known
            .revertOf()
            .map("the revert of upgrade %s"::formatted)
            .orElseGet(() -> "the upgrade of %s to %s".formatted(known.device().name(), known.release()));
    return ProblemException.conflict(
        "the Idempotency-Key %s is that of %s; another upgrade needs another".formatted(known.id(), other));
  }

  private UpgradePlan plan(
      RequestContext requestContext,
      UpgradeRow done,
      List<HostId> hosts,
      Optional<ReleaseRow> release,
      String id,
      RevertUpgradeRequest request) {
    return new UpgradePlan(
        id,
        done.device(),
        hosts,
        done.release(),
        UpgradePlan.Options.ofRevert(request.deadline(clock.instant()), timeouts.admit(release, StepTimeouts.NONE))
            .overridingPins(request.overridePin()),
        origin(requestContext, request.auditText(), digest(request)));
  }

  private UpgradePlan plan(
      RequestContext requestContext,
      DeviceRow device,
      Optional<ReleaseRow> release,
      String id,
      StartUpgradeRequest request) {
    var plan =
        new UpgradePlan(
            id,
            device.id(),
            ParticipatingHosts.load(repositories.hosts(), device, request.release().packageName()),
            request.release(),
            new UpgradePlan.Options(
                request.rollbackScope(),
                request.allowDowngrade(),
                request.hostSoak(),
                request.deadline(clock.instant()),
                timeouts.admit(release, request.stepTimeouts().timeouts()),
                request.overridePin()),
            origin(requestContext, request.auditText(), digest(request)));
    return request.requireApproval() ? plan.withApproval(new RequiredApproval(requestContext.caller().name())) : plan;
  }

  private static UpgradePlan.Origin origin(RequestContext requestContext, String remark, String digest) {
    return UpgradePlan.Origin.person(requestContext.caller().name())
        .requested(new StartRequest(requestContext.clientAddress(), remark, digest));
  }

  private StartedUpgrade startAndRecord(UpgradePlan plan) {
    return switch (startOnceClosed(plan)) {
      case StartResult.Started(String runId) -> new StartedUpgrade(recordStart(plan, runId), true);
      case StartResult.AlreadyRunning(String runId) ->
          new StartedUpgrade(requireSame(recordRunning(plan, runId), plan), false);
      case StartResult.DeviceBusy(String upgrade) -> throw UpgradeAdmission.busy(plan.device(), upgrade);
    };
  }

  private StartResult startOnceClosed(UpgradePlan plan) {
    StartResult result = workflows.start(plan);
    if (result instanceof StartResult.DeviceBusy(String other) && isEnded(plan.device(), other)) {
      workflows.awaitClosed(plan.device(), other);
      return workflows.start(plan);
    }
    return result;
  }

  private boolean isEnded(DeviceId device, String upgrade) {
    return repositories.upgrades().find(device.tenant(), upgrade).flatMap(UpgradeRow::end).isPresent();
  }

  private UpgradeRow recordStart(UpgradePlan plan, String runId) {
    return switch (recorder.recordNew(plan, runId)) {
      case RecordResult.Recorded(UpgradeRow row) -> row;
      case RecordResult.Refused(_, String why) ->
          throw repositories
              .upgrades()
              .find(plan.device().tenant(), plan.upgrade())
              .map(known -> requireSame(known, plan))
              .map(UpgradeService::keyTaken)
              .orElseGet(() -> ProblemException.conflict(why));
    };
  }

  /// Returns the row of an upgrade that another request has started. Until one is there, only its workflow says what
  /// that request was for.
  private UpgradeRow recordRunning(UpgradePlan plan, String runId) {
    return repositories
        .upgrades()
        .find(plan.device().tenant(), plan.upgrade())
        .orElseGet(() -> recordStart(workflows.plan(plan.device(), runId), runId));
  }

  private static UpgradeRow requireSame(UpgradeRow known, UpgradePlan plan) {
    return requireSame(
        known,
        plan.device(),
        plan.release(),
        plan.revert().map(UpgradeToRevert::upgrade),
        plan.origin().request().map(StartRequest::digest).orElse(""));
  }

  /// The row of an upgrade that is only validated.
  private UpgradeRow expectedRow(UpgradePlan plan) {
    return UpgradeRow.begun(
        new NewUpgrade(
            plan.upgrade(),
            plan.device(),
            plan.release(),
            plan.origin().startedBy(),
            "",
            "",
            plan.revert().map(UpgradeToRevert::upgrade)),
        clock.instant());
  }
}
