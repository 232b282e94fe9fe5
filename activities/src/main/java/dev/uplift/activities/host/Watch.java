package dev.uplift.activities.host;

import static dev.uplift.fleet.Step.AWAIT_STANDBY;

import dev.uplift.activities.presence.HeardBeat;
import dev.uplift.activities.presence.HostBeats;
import dev.uplift.activities.presence.InstanceBeats;
import dev.uplift.fleet.ErrorClass;
import dev.uplift.fleet.HostState;
import dev.uplift.protocol.AgentInfo;
import dev.uplift.protocol.Heartbeat.State;
import dev.uplift.store.Expectation;
import dev.uplift.workflows.device.Answer;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Judges the beats of one host by what is expected of it.
final class Watch {
  /// One may have been on its way; two are the truth.
  private static final int CONTRADICTIONS = 2;

  private final Expectation expected;
  private final Map<String, Integer> contradictions = new HashMap<>();

  Watch(Expectation expected) {
    this.expected = expected;
  }

  Expectation expected() {
    return expected;
  }

  /// A beat that comes while this is expected. Empty as long as it decides nothing.
  ///
  /// @param beats of the host, this one included
  synchronized Optional<Answer> judge(HostBeats beats, HeardBeat beat) {
    if (!counts(expected, beats, beat)) {
      return Optional.empty();
    }
    HostState shown = shown(beat);
    if (isReachedBy(shown)) {
      return Optional.of(new Answer.Done(shown));
    }
    int times = contradictions.merge(beat.instance(), contradicts(beat) ? 1 : 0, Integer::sum);
    return times >= CONTRADICTIONS ? Optional.of(mismatch(shown)) : Optional.empty();
  }

  /// Not who stands by: it may be one that is about to be ended.
  private boolean contradicts(HeardBeat beat) {
    return beat.isFromRunningAgent()
        && (beat.instance().equals(expected.makesWay())
            || shown(beat).contradicts(expected.wanted().version(), expected.bootBefore()));
  }

  /// What was heard before this was expected: it can only show that it is so already.
  ///
  /// @param silent what was heard up to then says nothing about now
  Optional<Answer> shown(HostBeats beats, Instant silent) {
    return beats.all().stream()
        .map(InstanceBeats::newest)
        .filter(beat -> beat.at().isAfter(silent) && counts(expected, beats, beat))
        .map(this::shown)
        .filter(this::isReachedBy)
        .<Answer>map(Answer.Done::new)
        .findFirst();
  }

  private boolean isReachedBy(HostState shown) {
    return shown.hasReached(expected.step(), expected.wanted().version(), expected.bootBefore());
  }

  private HostState shown(HeardBeat beat) {
    return Answers.shown(beat.beat(), expected.wanted().packageName());
  }

  /// The same in the words of the agent, where it is one that works again in place of the version
  /// that was to follow it.
  Optional<Answer> reverted(HeardBeat beat, AgentInfo info) {
    String version = shown(beat).version();
    boolean isItsWord =
        info.instance().equals(beat.instance())
            && info.agentVersion().equals(version)
            && !info.upgradeError().isEmpty();
    return isItsWord
        ? Optional.of(
            new Answer.Failed(
                "reverted",
                ErrorClass.FINAL,
                "%s runs %s again: %s".formatted(expected.host(), version, info.upgradeError())))
        : Optional.empty();
  }

  private Answer mismatch(HostState shown) {
    return new Answer.Failed(
        "version-mismatch",
        ErrorClass.FINAL,
        "%s runs %s of %s and not %s"
            .formatted(
                expected.host(),
                shown.version(),
                expected.wanted().packageName(),
                expected.wanted().version()));
  }

  /// Whether it is the agent that we mean. Of two at work on one host, which must not be, the one
  /// counts that has answered. Another one counts in its place only once it has been heard twice
  /// and that one no more: an agent that was started anew. Where any may be meant, the one counts
  /// that was heard last.
  static boolean counts(Expectation expected, HostBeats beats, HeardBeat beat) {
    if (!isMeant(expected, beat.beat().state())) {
      return false;
    }
    String meant = expected.instance();
    if (meant.equals(beat.instance())) {
      return true;
    }
    if (meant.isEmpty()) {
      return beats.newest().filter(beat::equals).isPresent();
    }
    InstanceBeats other = beats.of(beat.instance()).orElse(InstanceBeats.of(beat));
    boolean follows =
        beats.of(meant).map(last -> last.newest().at().isBefore(other.first())).orElse(true);
    return follows && other.inARow() > 1;
  }

  /// Who stands by is expected for a while, and may be at work by the time that it is seen.
  private static boolean isMeant(Expectation expected, State state) {
    return state == State.RUNNING || (state == State.STANDBY && expected.step() == AWAIT_STANDBY);
  }
}
