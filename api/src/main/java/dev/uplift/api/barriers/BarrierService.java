package dev.uplift.api.barriers;

import dev.uplift.activities.barrier.BarrierWorkflowClient;
import dev.uplift.activities.temporal.TemporalUnavailable;
import dev.uplift.activities.temporal.UpdateResult;
import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.problem.RequestError;
import dev.uplift.api.request.AuditedTransaction;
import dev.uplift.api.request.RequestContext;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.barrier.BarrierAction;
import dev.uplift.fleet.barrier.BarrierHostState;
import dev.uplift.fleet.barrier.BarrierId;
import dev.uplift.services.Repositories;
import dev.uplift.services.barrier.BarrierJson;
import dev.uplift.services.barrier.BarrierRepositories;
import dev.uplift.services.barrier.BarrierSpec;
import dev.uplift.services.rollout.DeviceSnapshot;
import dev.uplift.services.selection.CompiledSelection;
import dev.uplift.services.selection.Selection;
import dev.uplift.services.upgrade.ParticipatingHosts;
import dev.uplift.store.barrier.BarrierRepository.CreateResult;
import dev.uplift.store.barrier.BarrierRepository.TakenDevice;
import dev.uplift.store.barrier.BarrierRow;
import dev.uplift.store.barrier.NewBarrier;
import dev.uplift.workflows.barrier.BarrierRequest;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Records barriers and starts them. The row is written first: if the workflow cannot be started now, it is started
/// later because of the row.
@Singleton
final class BarrierService {
  private static final Logger LOG = LoggerFactory.getLogger(BarrierService.class);

  /// Of more devices that are taken, the first are named.
  private static final int MAX_TAKEN_SHOWN = 10;

  private final BarrierRepositories tables;
  private final Repositories common;
  private final BarrierWorkflowClient workflows;
  private final AuditedTransaction transaction;
  private final InstantSource clock;

  BarrierService(
      BarrierRepositories tables,
      BarrierWorkflowClient workflows,
      AuditedTransaction transaction,
      InstantSource clock) {
    this.tables = tables;
    this.common = tables.rollouts().common();
    this.workflows = workflows;
    this.transaction = transaction;
    this.clock = clock;
  }

  /// A recorded barrier.
  ///
  /// @param isNew whether this call recorded it
  record StartedBarrier(BarrierRow row, boolean isNew) {}

  /// Previews a barrier, or refuses it as its start would.
  SortedMap<String, List<HostId>> preview(RequestContext requestContext, BarrierId id, BarrierSpec spec) {
    SortedMap<String, List<HostId>> hosts = check(id, spec);
    var _ = transaction.run(requestContext, () -> record(requestContext, id, spec, hosts));
    return hosts;
  }

  StartedBarrier start(RequestContext requestContext, BarrierId id, BarrierSpec spec) {
    Optional<BarrierRow> known = tables.barriers().find(id);
    if (known.isPresent()) {
      return new StartedBarrier(requireSame(known.get(), spec), false);
    }
    SortedMap<String, List<HostId>> hosts = check(id, spec);
    StartedBarrier started = transaction.run(requestContext, () -> record(requestContext, id, spec, hosts));
    startWorkflow(started.row());
    return started;
  }

  private static BarrierRow requireSame(BarrierRow known, BarrierSpec spec) {
    if (!BarrierJson.read(known.spec()).equals(spec)) {
      throw ProblemException.conflict(
          "the Idempotency-Key %s is that of another barrier, by %s; another barrier needs another"
              .formatted(known.name(), known.createdBy()));
    }
    return known;
  }

  private StartedBarrier record(
      RequestContext requestContext, BarrierId id, BarrierSpec spec, SortedMap<String, List<HostId>> hosts) {
    Instant now = clock.instant();
    var barrier =
        new NewBarrier(
            id,
            spec.packageName(),
            BarrierJson.write(spec),
            spec.migratedDevice(),
            "a migration by " + requestContext.caller().name(),
            hosts,
            now.plus(spec.deadline()),
            now.plus(spec.maxHalt()));
    CreateResult result = tables.barriers().create(barrier, requestContext.caller().name());
    BarrierRow row = result.row().orElseThrow(() -> taken(result.taken()));
    if (!result.isNew()) {
      return new StartedBarrier(requireSame(row, spec), false);
    }
    transaction.recordAudit(requestContext, "barrier.start", "barrier/" + id.name(), row.spec());
    return new StartedBarrier(row, true);
  }

  private static ProblemException taken(List<TakenDevice> taken) {
    return ProblemException.conflict(
        "the package is in another open barrier on %d devices: %s"
            .formatted(
                taken.size(),
                taken.stream()
                    .limit(MAX_TAKEN_SHOWN)
                    .map(device -> device.device() + " (" + device.barrier() + ")")
                    .collect(Collectors.joining(", "))));
  }

  /// Returns the hosts that take part, by device, or refuses the barrier because of what releases and devices show.
  private SortedMap<String, List<HostId>> check(BarrierId id, BarrierSpec spec) {
    common
        .tenantStops()
        .find(id.tenant())
        .ifPresent(stop -> {
          throw ProblemException.conflict("nothing begins in this tenant: " + stop.describe());
        });
    List<RequestError> errors = new ArrayList<>();
    List<DeviceSnapshot> all = DeviceSnapshot.loadAll(common, id.tenant());
    SortedMap<String, List<HostId>> hosts = selected(spec, all);
    if (hosts.isEmpty()) {
      errors.add(RequestError.atPointer("/selection", "selects no device with a host"));
    } else if (hosts.size() == all.size() && all.size() > 1 && !spec.everything()) {
      errors.add(
          RequestError.atPointer(
              "/everything",
              "the selection takes all %d devices; expected true to confirm that".formatted(all.size())));
    }
    checkReleases(id, spec, hosts, errors);
    if (!errors.isEmpty()) {
      throw ProblemException.unprocessable(errors);
    }
    return hosts;
  }

  private static SortedMap<String, List<HostId>> selected(BarrierSpec spec, List<DeviceSnapshot> all) {
    if (!(Selection.compile(spec.selection()) instanceof CompiledSelection.Valid(Selection selection))) {
      throw new IllegalArgumentException(spec.selection());
    }
    var hosts = new TreeMap<String, List<HostId>>();
    all.stream()
        .filter(device -> !device.device().hosts().isEmpty() && selection.matches(device.selectable()))
        .forEach(device ->
            hosts.put(
                device.name(), ParticipatingHosts.of(device.device().hosts(), device.hosts(), spec.packageName())));
    return hosts;
  }

  private void checkReleases(
      BarrierId id, BarrierSpec spec, SortedMap<String, List<HostId>> hosts, List<RequestError> errors) {
    spec.nextRelease()
        .filter(release -> isUnknown(id, release))
        .ifPresent(release -> errors.add(RequestError.atPointer("/version", release + " does not exist")));
    spec.migrationRelease()
        .filter(release -> isUnknown(id, release))
        .ifPresent(release -> errors.add(RequestError.atPointer("/migration/version", release + " does not exist")));
    spec.migratedDevice()
        .filter(device -> common.devices().find(id.device(device)).isEmpty())
        .ifPresent(device -> errors.add(RequestError.atPointer("/migration/device", "there is no device " + device)));
    spec.migratedDevice()
        .filter(device -> hosts.containsKey(device))
        .ifPresent(device ->
            errors.add(
                RequestError.atPointer(
                    "/migration/device", device + " is selected to halt, so it cannot be upgraded meanwhile")));
  }

  private boolean isUnknown(BarrierId id, Release release) {
    return common.releases().find(id.tenant(), release).isEmpty();
  }

  private void startWorkflow(BarrierRow row) {
    try {
      if (row.endedAt().isEmpty()) {
        workflows.start(row);
      }
    } catch (TemporalUnavailable e) {
      LOG.warn("barrier {} is recorded and starts later: {}", row.id(), e.getMessage());
    }
  }

  /// Passes a request to the barrier, which decides about it, records it and answers. A call that only validates
  /// changes nothing.
  void act(RequestContext requestContext, BarrierId id, String key, BarrierAction action, String reason) {
    BarrierRow row = find(id);
    boolean isApproval = BarrierJson.read(row.spec()).migratedDevice().isEmpty();
    boolean isOver = !clock.instant().isBefore(row.untilAt());
    boolean isDone = action == BarrierAction.CONTINUE ? row.continuedBy().isPresent() : row.abortedBy().isPresent();
    Optional<String> refusal = isDone ? Optional.empty() : action.refusal(row.state(), isApproval, isOver);
    refusal.ifPresent(why -> {
      throw ProblemException.conflict(why);
    });
    if (isDone || requestContext.isValidateOnly()) {
      return;
    }
    var request =
        new BarrierRequest(key, action, requestContext.caller().name(), reason, requestContext.clientAddress());
    switch (workflows.update(id, request)) {
      case UpdateResult.Completed _ -> {}
      case UpdateResult.Rejected(String why) -> throw ProblemException.conflict(why);
      case UpdateResult.NotRunning() ->
          throw ProblemException.conflict("the barrier %s is just beginning or ending; try again".formatted(id.name()));
    }
  }

  BarrierRow find(BarrierId id) {
    return tables
        .barriers()
        .find(id)
        .orElseThrow(() ->
            ProblemException.notFound(
                "there is no barrier %s in %s; one that ended long ago may be in the archive"
                    .formatted(id.name(), id.tenant())));
  }

  BarrierView view(BarrierRow row) {
    return BarrierView.full(
        row, tables.barriers().count(row.id()), tables.hosts().listInState(row.id(), BarrierHostState.MISSING));
  }
}
