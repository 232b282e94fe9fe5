package dev.uplift.activities.host;

import static dev.uplift.fleet.Step.AWAIT_SUCCESSOR;

import dev.uplift.fleet.ErrorClass;
import dev.uplift.fleet.HostState;
import dev.uplift.protocol.AgentInfo;
import dev.uplift.protocol.Heartbeat.State;
import dev.uplift.services.presence.HostHeartbeats;
import dev.uplift.services.presence.InstanceHeartbeats;
import dev.uplift.services.presence.ReceivedHeartbeat;
import dev.uplift.store.command.HeartbeatWait;
import dev.uplift.workflows.device.StepResult;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Checks the heartbeats of one host against what is expected of it.
final class HeartbeatExpectation {
  /// One may have been sent before the step; two prove it.
  private static final int MAX_CONTRADICTIONS = 2;

  private final HeartbeatWait heartbeatWait;
  private final Map<String, Integer> contradictions = new HashMap<>();

  HeartbeatExpectation(HeartbeatWait heartbeatWait) {
    this.heartbeatWait = heartbeatWait;
  }

  HeartbeatWait heartbeatWait() {
    return heartbeatWait;
  }

  /// Checks a heartbeat that is received during the wait. Returns empty as long as nothing is decided.
  ///
  /// @param beats of the host, this one included
  synchronized Optional<StepResult> evaluate(HostHeartbeats beats, ReceivedHeartbeat beat) {
    if (!isRelevant(heartbeatWait, beats, beat)) {
      return Optional.empty();
    }
    HostState shown = observed(beat);
    if (isMetBy(shown)) {
      return Optional.of(new StepResult.Done(shown));
    }
    int times = contradictions.merge(beat.instance(), contradicts(beat) ? 1 : 0, Integer::sum);
    return times >= MAX_CONTRADICTIONS ? Optional.of(mismatch(shown)) : Optional.empty();
  }

  /// An agent that stands by contradicts nothing: it may be about to end.
  private boolean contradicts(ReceivedHeartbeat beat) {
    return beat.isFromRunningAgent()
        && (beat.instance().equals(heartbeatWait.outgoingInstance())
            || observed(beat).contradicts(heartbeatWait.release().version(), heartbeatWait.previousBootId()));
  }

  /// Checks heartbeats from before the wait, which can only show that it is met already.
  ///
  /// @param silent heartbeats up to then say nothing about now
  Optional<StepResult> observed(HostHeartbeats beats, Instant silent) {
    return beats.all().stream()
        .map(InstanceHeartbeats::newest)
        .filter(beat -> beat.receivedAt().isAfter(silent) && isRelevant(heartbeatWait, beats, beat))
        .map(this::observed)
        .filter(this::isMetBy)
        .<StepResult>map(StepResult.Done::new)
        .findFirst();
  }

  private boolean isMetBy(HostState shown) {
    return shown.hasReached(heartbeatWait.step(), heartbeatWait.release().version(), heartbeatWait.previousBootId());
  }

  private HostState observed(ReceivedHeartbeat beat) {
    return StepResultMapper.fromHeartbeat(beat.heartbeat(), heartbeatWait.release().packageName());
  }

  /// Returns the failure with the agent's own reason, if it is an agent that is active again in place of its successor.
  Optional<StepResult> revertResult(ReceivedHeartbeat beat, AgentInfo info) {
    String version = observed(beat).version();
    boolean isItsWord =
        info.instance().equals(beat.instance())
            && info.agentVersion().equals(version)
            && !info.upgradeError().isEmpty();
    return isItsWord
        ? Optional.of(
            new StepResult.Failed(
                "rolled-back",
                ErrorClass.FINAL,
                "%s runs %s again: %s".formatted(heartbeatWait.host(), version, info.upgradeError())))
        : Optional.empty();
  }

  private StepResult mismatch(HostState shown) {
    return new StepResult.Failed(
        "version-mismatch",
        ErrorClass.FINAL,
        "%s runs %s of %s and not %s"
            .formatted(
                heartbeatWait.host(),
                shown.version(),
                heartbeatWait.release().packageName(),
                heartbeatWait.release().version()));
  }

  /// Returns whether the heartbeat is from the expected agent. Of two active ones on one host, which is a fault, the
  /// one that has answered counts. Another one, such as a restarted agent, counts only once it was heard twice after
  /// the last heartbeat of that one. If any agent may be expected, the one heard last counts.
  static boolean isRelevant(HeartbeatWait heartbeatWait, HostHeartbeats beats, ReceivedHeartbeat beat) {
    if (!isExpectedState(heartbeatWait, beat.heartbeat().state())) {
      return false;
    }
    String meant = heartbeatWait.previousInstance();
    if (meant.equals(beat.instance())) {
      return true;
    }
    if (meant.isEmpty()) {
      return beats.newest().filter(beat::equals).isPresent();
    }
    InstanceHeartbeats other = beats.of(beat.instance()).orElse(InstanceHeartbeats.of(beat));
    boolean follows =
        beats.of(meant).map(last -> last.newest().receivedAt().isBefore(other.firstReceivedAt())).orElse(true);
    return follows && other.consecutive() > 1;
  }

  /// An agent that is to stand by may be active already when it is heard.
  private static boolean isExpectedState(HeartbeatWait heartbeatWait, State state) {
    return state == State.RUNNING || (state == State.STANDBY && heartbeatWait.step() == AWAIT_SUCCESSOR);
  }
}
