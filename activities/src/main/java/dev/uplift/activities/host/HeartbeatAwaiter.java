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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Ends the waits for heartbeats. Who waits for what stands in a table, of which this keeps a copy
/// to hold every beat against; so any server that hears the beat ends the wait.
public final class HeartbeatAwaiter {
  private static final Logger LOG = LoggerFactory.getLogger(HeartbeatAwaiter.class);

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

  HeartbeatAwaiter(HeartbeatWaitRepository waits, Presence presence, AgentInfoReader agentInfos, ActivityCompleter activityCompleter) {
    this.waits = waits;
    this.presence = presence;
    this.agentInfos = agentInfos;
    this.activityCompleter = activityCompleter;
  }

  /// Notes what is waited for, and returns the answer if what was heard up to now is enough.
  Optional<StepResult> register(HeartbeatWait heartbeatWait) {
    // Noted before looking: a beat in between finds who waits.
    waits.put(heartbeatWait);
    Optional<StepResult> shown = resultSoFar(expectationOf(heartbeatWait));
    shown.ifPresent(_ -> remove(heartbeatWait));
    return shown;
  }

  /// An attempt of the same wait goes on with what was seen before.
  private HeartbeatExpectation expectationOf(HeartbeatWait heartbeatWait) {
    return expectations.compute(
        Key.of(heartbeatWait),
        (_, known) ->
            known != null && known.heartbeatWait().equals(heartbeatWait) ? known : new HeartbeatExpectation(heartbeatWait));
  }

  private Optional<StepResult> resultSoFar(HeartbeatExpectation heartbeatExpectation) {
    HeartbeatWait heartbeatWait = heartbeatExpectation.heartbeatWait();
    return heartbeatExpectation.observed(presence.heartbeats(heartbeatWait.tenant(), heartbeatWait.host()), presence.silenceCutoff());
  }

  /// Takes a heartbeat, after [Presence] has it. One that cannot be handed over is no loss: the
  /// next one follows, and every attempt of the wait looks again.
  public void onHeartbeat(ReceivedHeartbeat beat) {
    HeartbeatExpectation heartbeatExpectation = expectations.get(new Key(beat.tenant(), beat.host()));
    if (heartbeatExpectation != null) {
      heartbeatExpectation
          .evaluate(presence.heartbeats(beat.tenant(), beat.host()), beat)
          .ifPresent(stepResult -> Thread.ofVirtual().start(() -> complete(heartbeatExpectation, beat, stepResult)));
    }
  }

  private void complete(HeartbeatExpectation heartbeatExpectation, ReceivedHeartbeat beat, StepResult stepResult) {
    try {
      complete(heartbeatExpectation.heartbeatWait(), stepResult instanceof Failed ? withAgentReason(heartbeatExpectation, beat, stepResult) : stepResult);
    } catch (NatsUnavailable e) {
      LOG.debug("{} does not say why, and is asked at its next beat", beat.host(), e);
    }
  }

  /// An agent that has taken its next version back says why.
  private StepResult withAgentReason(HeartbeatExpectation heartbeatExpectation, ReceivedHeartbeat beat, StepResult otherwise) {
    return agentInfos
        .readLatest(Subjects.hostAddress(beat.tenant(), beat.host().value()))
        .flatMap(info -> heartbeatExpectation.revertResult(beat, info))
        .orElse(otherwise);
  }

  /// Takes over what other servers have noted, and what this one noted before it was started anew.
  /// To be called every few seconds.
  public void refresh() {
    Map<Key, HeartbeatWait> noted =
        waits.findAll().stream().collect(Collectors.toMap(Key::of, Function.identity()));
    expectations.entrySet().removeIf(known -> !noted.containsKey(known.getKey()));
    List<HeartbeatExpectation> all = noted.values().stream().map(this::expectationOf).toList();
    all.forEach(heartbeatExpectation -> resultSoFar(heartbeatExpectation).ifPresent(stepResult -> complete(heartbeatExpectation.heartbeatWait(), stepResult)));
  }

  private void complete(HeartbeatWait heartbeatWait, StepResult stepResult) {
    try {
      activityCompleter.complete(heartbeatWait.waiter().workflowId(), heartbeatWait.waiter().activityId(), stepResult);
      remove(heartbeatWait);
    } catch (TemporalUnavailable | DatabaseUnavailable e) {
      LOG.debug("{} was seen and cannot be handed over yet", heartbeatWait.host(), e);
    }
  }

  private void remove(HeartbeatWait heartbeatWait) {
    waits.remove(heartbeatWait);
    expectations.computeIfPresent(
        Key.of(heartbeatWait), (_, known) -> known.heartbeatWait().equals(heartbeatWait) ? null : known);
  }
}
