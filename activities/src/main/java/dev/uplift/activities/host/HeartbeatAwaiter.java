package dev.uplift.activities.host;

import dev.uplift.activities.temporal.ActivityCompleter;
import dev.uplift.activities.temporal.TemporalUnavailable;
import dev.uplift.fleet.HostId;
import dev.uplift.protocol.Subjects;
import dev.uplift.services.messaging.AgentInfoReader;
import dev.uplift.services.messaging.NatsUnavailable;
import dev.uplift.services.presence.Presence;
import dev.uplift.services.presence.ReceivedHeartbeat;
import dev.uplift.store.DatabaseUnavailable;
import dev.uplift.store.command.HeartbeatWait;
import dev.uplift.store.command.HeartbeatWaitRepository;
import dev.uplift.workflows.device.StepResult;
import dev.uplift.workflows.device.StepResult.Failed;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Completes the activities that wait for heartbeats. A table has the waits; this keeps a copy in memory and checks
/// every heartbeat against it, so any server that receives the heartbeat completes the wait.
@Singleton
public final class HeartbeatAwaiter {
  private static final Logger LOG = LoggerFactory.getLogger(HeartbeatAwaiter.class);

  /// Every minute, if it is refreshed every two seconds. What was removed by another server is forgotten then.
  static final int REFRESHES_PER_FULL_READ = 30;

  private static final Duration RECENT = Duration.ofSeconds(30);

  private record Key(String tenant, HostId host) {
    static Key of(HeartbeatWait heartbeatWait) {
      return new Key(heartbeatWait.tenant(), heartbeatWait.host());
    }
  }

  private final HeartbeatWaitRepository waits;
  private final Presence presence;
  private final AgentInfoReader agentInfos;
  private final ActivityCompleter activityCompleter;
  private final Map<Key, HeartbeatExpectation> expectations = new ConcurrentHashMap<>();
  private final AtomicInteger refreshes = new AtomicInteger();

  HeartbeatAwaiter(
      HeartbeatWaitRepository waits,
      Presence presence,
      AgentInfoReader agentInfos,
      ActivityCompleter activityCompleter) {
    this.waits = waits;
    this.presence = presence;
    this.agentInfos = agentInfos;
    this.activityCompleter = activityCompleter;
  }

  /// Registers a wait. Returns its result if the heartbeats up to now are enough.
  Optional<StepResult> register(HeartbeatWait heartbeatWait) {
    // Registered first, so that a heartbeat in between completes it.
    waits.put(heartbeatWait);
    Optional<StepResult> shown = resultSoFar(expectationOf(heartbeatWait));
    shown.ifPresent(_ -> remove(heartbeatWait));
    return shown;
  }

  /// An attempt of the same wait keeps what was counted before.
  private HeartbeatExpectation expectationOf(HeartbeatWait heartbeatWait) {
    return expectations.compute(
        Key.of(heartbeatWait),
        (_, known) ->
            known != null && known.heartbeatWait().equals(heartbeatWait)
                ? known
                : new HeartbeatExpectation(heartbeatWait));
  }

  private Optional<StepResult> resultSoFar(HeartbeatExpectation heartbeatExpectation) {
    HeartbeatWait heartbeatWait = heartbeatExpectation.heartbeatWait();
    return heartbeatExpectation.observed(
        presence.heartbeats(heartbeatWait.tenant(), heartbeatWait.host()), presence.silenceCutoff());
  }

  /// Checks a heartbeat, after [Presence] has it. One that cannot be processed is no loss: the next one follows, and
  /// every attempt of the wait checks again.
  public void onHeartbeat(ReceivedHeartbeat heartbeat) {
    HeartbeatExpectation heartbeatExpectation = expectations.get(new Key(heartbeat.tenant(), heartbeat.host()));
    if (heartbeatExpectation != null) {
      heartbeatExpectation
          .evaluate(presence.heartbeats(heartbeat.tenant(), heartbeat.host()), heartbeat)
          .ifPresent(
              stepResult -> Thread.ofVirtual().start(() -> complete(heartbeatExpectation, heartbeat, stepResult)));
    }
  }

  private void complete(HeartbeatExpectation heartbeatExpectation, ReceivedHeartbeat heartbeat, StepResult stepResult) {
    try {
      complete(
          heartbeatExpectation.heartbeatWait(),
          stepResult instanceof Failed ? withAgentReason(heartbeatExpectation, heartbeat, stepResult) : stepResult);
    } catch (NatsUnavailable e) {
      LOG.debug("the reason of {} is read again at its next heartbeat", heartbeat.host(), e);
    }
  }

  /// An agent that has rolled back its next version says why.
  private StepResult withAgentReason(
      HeartbeatExpectation heartbeatExpectation, ReceivedHeartbeat heartbeat, StepResult otherwise) {
    return agentInfos
        .readLatest(Subjects.hostAddress(heartbeat.tenant(), heartbeat.host().value()))
        .flatMap(info -> heartbeatExpectation.revertResult(heartbeat, info))
        .orElse(otherwise);
  }

  /// Loads the waits that other servers have registered, and this one before a restart, and checks all that are known.
  /// To be called every few seconds: most calls read only what is new.
  public void refresh() {
    if (refreshes.getAndIncrement() % REFRESHES_PER_FULL_READ == 0) {
      Set<HeartbeatWait> noted = Set.copyOf(waits.findAll());
      expectations.values().removeIf(known -> !noted.contains(known.heartbeatWait()));
      noted.forEach(this::expectationOf);
    } else {
      waits.findRecent(RECENT).forEach(this::expectationOf);
    }
    List.copyOf(expectations.values())
        .forEach(heartbeatExpectation ->
            resultSoFar(heartbeatExpectation)
                .ifPresent(stepResult -> complete(heartbeatExpectation.heartbeatWait(), stepResult)));
  }

  private void complete(HeartbeatWait heartbeatWait, StepResult stepResult) {
    try {
      activityCompleter.complete(heartbeatWait.waiter().workflowId(), heartbeatWait.waiter().activityId(), stepResult);
      remove(heartbeatWait);
    } catch (TemporalUnavailable | DatabaseUnavailable e) {
      LOG.debug("the wait for {} cannot be completed yet", heartbeatWait.host(), e);
    }
  }

  private void remove(HeartbeatWait heartbeatWait) {
    waits.remove(heartbeatWait);
    expectations.computeIfPresent(
        Key.of(heartbeatWait), (_, known) -> known.heartbeatWait().equals(heartbeatWait) ? null : known);
  }
}
