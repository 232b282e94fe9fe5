package dev.uplift.activities.temporal;

import dev.uplift.fleet.policy.PolicyId;
import dev.uplift.fleet.policy.PolicyRepeat;
import dev.uplift.services.policy.PolicyJson;
import dev.uplift.store.policy.PolicyRow;
import dev.uplift.workflows.policy.PolicyInput;
import dev.uplift.workflows.policy.PolicyRun;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.enums.v1.ScheduleOverlapPolicy;
import io.temporal.client.schedules.Schedule;
import io.temporal.client.schedules.ScheduleActionStartWorkflow;
import io.temporal.client.schedules.ScheduleAlreadyRunningException;
import io.temporal.client.schedules.ScheduleException;
import io.temporal.client.schedules.ScheduleHandle;
import io.temporal.client.schedules.ScheduleOptions;
import io.temporal.client.schedules.SchedulePolicy;
import io.temporal.client.schedules.ScheduleSpec;
import io.temporal.client.schedules.ScheduleState;
import io.temporal.client.schedules.ScheduleUpdate;
import io.temporal.common.interceptors.Header;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The Temporal Schedules of policies that begin in runs, `policy/<tenant>/<name>`: Temporal Web UI shows the next
/// runs. All calls may be repeated, and throw [TemporalUnavailable] if it is unknown whether Temporal did what was
/// asked.
@Singleton
public final class PolicyScheduleClient {
  /// Runs that were missed while Temporal was down are made up for within this time, the newest one alone.
  static final Duration CATCH_UP = Duration.ofHours(1);

  private static final Logger LOG = LoggerFactory.getLogger(PolicyScheduleClient.class);

  private final TemporalClients temporal;

  public PolicyScheduleClient(TemporalClients temporal) {
    this.temporal = temporal;
  }

  /// Makes the schedule as the policy says, whatever was changed in Temporal meanwhile: none for one that is disabled
  /// or begins whenever something is due. What Temporal refuses, for instance a time zone that its own data do not
  /// have, is logged.
  public void apply(PolicyRow policy) {
    Optional<PolicyRepeat.Cron> cron = PolicyJson.read(policy.spec()).cron().filter(_ -> policy.enabled());
    if (cron.isPresent()) {
      put(policy, cron.get());
    } else {
      remove(policy.id());
    }
  }

  private void put(PolicyRow policy, PolicyRepeat.Cron cron) {
    Schedule schedule = schedule(policy, cron);
    ScheduleHandle handle = temporal.scheduleClient().getHandle(id(policy.id()));
    call(() -> {
      try {
        put(handle, schedule);
      } catch (ScheduleException e) {
        if (!isStatus(e, Status.Code.INVALID_ARGUMENT)) {
          throw e;
        }
        LOG.error("Temporal refuses the schedule {} ({}): {}", handle.getId(), cron, TemporalClients.describe(e));
      }
      return handle;
    });
  }

  private void put(ScheduleHandle handle, Schedule schedule) {
    Optional<Schedule> found = find(handle);
    if (found.isEmpty()) {
      create(handle.getId(), schedule);
    } else if (!note(found.get()).equals(note(schedule))) {
      handle.update(_ -> new ScheduleUpdate(schedule));
    }
  }

  private static Optional<Schedule> find(ScheduleHandle handle) {
    try {
      return Optional.of(handle.describe().getSchedule());
    } catch (ScheduleException e) {
      if (isStatus(e, Status.Code.NOT_FOUND)) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /// Another server may have created the same one meanwhile.
  private void create(String id, Schedule schedule) {
    try {
      temporal.scheduleClient().createSchedule(id, schedule, ScheduleOptions.newBuilder().build());
    } catch (ScheduleAlreadyRunningException e) {
      LOG.debug("created by another server: {}", id, e);
    }
  }

  /// The client gives back a cron line in another form and no header, so the note tells whether times and seal are as
  /// they should be.
  private static String note(Schedule schedule) {
    return Optional.ofNullable(schedule.getState()).map(ScheduleState::getNote).orElse("");
  }

  /// Removes the schedule of a policy, if it has one.
  public void remove(PolicyId policy) {
    call(() -> {
      try {
        temporal.scheduleClient().getHandle(id(policy)).delete();
        return true;
      } catch (ScheduleException e) {
        if (isStatus(e, Status.Code.NOT_FOUND)) {
          return false;
        }
        throw e;
      }
    });
  }

  private static boolean isStatus(ScheduleException e, Status.Code code) {
    return e.getCause() instanceof StatusRuntimeException cause && cause.getStatus().getCode() == code;
  }

  private static <T> T call(Supplier<T> call) {
    return TemporalClients.call(() -> {
      try {
        return call.get();
      } catch (ScheduleException e) {
        throw TemporalClients.unavailable(e);
      }
    });
  }

  private Schedule schedule(PolicyRow policy, PolicyRepeat.Cron cron) {
    var input = new PolicyInput(policy.tenant(), policy.name(), policy.packageName());
    Header seal = temporal.sealOfStart(input.runWorkflowId(), "PolicyRun", input);
    return Schedule.newBuilder()
        .setAction(
            ScheduleActionStartWorkflow.newBuilder()
                .setWorkflowType(PolicyRun.class)
                .setArguments(input)
                .setOptions(input.runOptions())
                .setHeader(seal)
                .build())
        .setSpec(
            ScheduleSpec.newBuilder()
                .setCronExpressions(List.of(cron.line()))
                .setTimeZoneName(cron.zone().getId())
                .build())
        .setPolicy(
            SchedulePolicy.newBuilder()
                .setOverlap(ScheduleOverlapPolicy.SCHEDULE_OVERLAP_POLICY_SKIP)
                .setCatchupWindow(CATCH_UP)
                .build())
        .setState(ScheduleState.newBuilder().setNote(note(policy, cron, seal)).build())
        .build();
  }

  /// With a mark of the seal, which covers what is started and has to be renewed after a change of the secret.
  private static String note(PolicyRow policy, PolicyRepeat.Cron cron, Header seal) {
    String mark = Integer.toHexString(SealingInterceptor.read(seal).orElseThrow().hashCode());
    return "runs of the policy %s: %s, sealed %s".formatted(policy.name(), cron, mark);
  }

  static String id(PolicyId policy) {
    return PolicyInput.workflowId(policy.tenant(), policy.name());
  }
}
