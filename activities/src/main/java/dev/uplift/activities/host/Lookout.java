package dev.uplift.activities.host;

import dev.uplift.activities.nats.Infos;
import dev.uplift.activities.nats.NatsAway;
import dev.uplift.activities.presence.HeardBeat;
import dev.uplift.activities.presence.Presence;
import dev.uplift.activities.temporal.Completions;
import dev.uplift.activities.temporal.TemporalAway;
import dev.uplift.fleet.HostId;
import dev.uplift.protocol.Subjects;
import dev.uplift.store.DatabaseAway;
import dev.uplift.store.Expectation;
import dev.uplift.store.Expectations;
import dev.uplift.workflows.device.Answer;
import dev.uplift.workflows.device.Answer.Failed;
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
public final class Lookout {
  private static final Logger LOG = LoggerFactory.getLogger(Lookout.class);

  private record Key(String tenant, HostId host) {
    static Key of(Expectation expected) {
      return new Key(expected.tenant(), expected.host());
    }
  }

  private final Expectations table;
  private final Presence presence;
  private final Infos infos;
  private final Completions completions;
  private final Map<Key, Watch> watches = new ConcurrentHashMap<>();

  Lookout(Expectations table, Presence presence, Infos infos, Completions completions) {
    this.table = table;
    this.presence = presence;
    this.infos = infos;
    this.completions = completions;
  }

  /// Notes what is waited for, and returns the answer if what was heard up to now is enough.
  Optional<Answer> await(Expectation expected) {
    // Noted before looking: a beat in between finds who waits.
    table.put(expected);
    Optional<Answer> shown = shown(watch(expected));
    shown.ifPresent(_ -> forget(expected));
    return shown;
  }

  /// An attempt of the same wait goes on with what was seen before.
  private Watch watch(Expectation expected) {
    return watches.compute(
        Key.of(expected),
        (_, known) ->
            known != null && known.expected().equals(expected) ? known : new Watch(expected));
  }

  private Optional<Answer> shown(Watch watch) {
    Expectation expected = watch.expected();
    return watch.shown(presence.beats(expected.tenant(), expected.host()), presence.silentUpTo());
  }

  /// Takes a heartbeat, after [Presence] has it. One that cannot be handed over is no loss: the
  /// next one follows, and every attempt of the wait looks again.
  public void hear(HeardBeat beat) {
    Watch watch = watches.get(new Key(beat.tenant(), beat.host()));
    if (watch != null) {
      watch
          .judge(presence.beats(beat.tenant(), beat.host()), beat)
          .ifPresent(answer -> Thread.ofVirtual().start(() -> end(watch, beat, answer)));
    }
  }

  private void end(Watch watch, HeardBeat beat, Answer answer) {
    try {
      end(watch.expected(), answer instanceof Failed ? inItsWords(watch, beat, answer) : answer);
    } catch (NatsAway e) {
      LOG.debug("{} does not say why, and is asked at its next beat", beat.host(), e);
    }
  }

  /// An agent that has taken its next version back says why.
  private Answer inItsWords(Watch watch, HeardBeat beat, Answer otherwise) {
    return infos
        .of(Subjects.host(beat.tenant(), beat.host().value()))
        .flatMap(info -> watch.reverted(beat, info))
        .orElse(otherwise);
  }

  /// Takes over what other servers have noted, and what this one noted before it was started anew.
  /// To be called every few seconds.
  public void refresh() {
    Map<Key, Expectation> noted =
        table.all().stream().collect(Collectors.toMap(Key::of, Function.identity()));
    watches.entrySet().removeIf(known -> !noted.containsKey(known.getKey()));
    List<Watch> all = noted.values().stream().map(this::watch).toList();
    all.forEach(watch -> shown(watch).ifPresent(answer -> end(watch.expected(), answer)));
  }

  private void end(Expectation expected, Answer answer) {
    try {
      completions.end(expected.waiter().workflowId(), expected.waiter().activityId(), answer);
      forget(expected);
    } catch (TemporalAway | DatabaseAway e) {
      LOG.debug("{} was seen and cannot be handed over yet", expected.host(), e);
    }
  }

  private void forget(Expectation expected) {
    table.remove(expected);
    watches.computeIfPresent(
        Key.of(expected), (_, known) -> known.expected().equals(expected) ? null : known);
  }
}
