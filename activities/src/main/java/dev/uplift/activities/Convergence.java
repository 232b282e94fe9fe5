package dev.uplift.activities;

import dev.uplift.activities.device.CommandStreamReconciler;
import dev.uplift.activities.device.UpgradeReconciler;
import dev.uplift.activities.reconciler.IncompletePass;
import dev.uplift.activities.rollout.RolloutReconciler;
import dev.uplift.services.diagnosis.DiagnosisCheck;
import dev.uplift.services.diagnosis.DiagnosisFinding;
import dev.uplift.services.messaging.StreamMonitor;
import dev.uplift.services.messaging.StreamMonitor.StreamPosition;
import dev.uplift.services.presence.Presence;
import dev.uplift.services.scheduling.PeriodicTasks;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells whether this server, since it started, has caught up with what happened while it did not run. Until then it is
/// *recovering*: it works, but what it says about hosts may be `unknown`, and what was left open may still be open.
/// Then it is *converged* and stays so: what goes wrong later has its own place in `/health`.
@Singleton
public final class Convergence implements DiagnosisCheck, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Convergence.class);
  private static final String PART = "convergence";
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  private final Presence presence;
  private final StreamMonitor streams;
  private final InstantSource clock;
  private final Instant startedAt;
  private final List<Condition> unmet = new CopyOnWriteArrayList<>();
  private final PeriodicTasks tasks = new PeriodicTasks();

  /// Once it is met it is not asked again.
  ///
  /// @param reason what is missing, in a sentence for people
  private record Condition(Supplier<String> reason, BooleanSupplier isMet) {
    /// All rows were looked at, even if one of them cannot be reconciled: that is for a person, however long this
    /// server runs.
    boolean isMetNow() {
      try {
        return isMet.getAsBoolean();
      } catch (IncompletePass _) {
        return true;
      }
    }
  }

  public Convergence(Presence presence, StreamMonitor streams, InstantSource clock, MeterRegistry meters) {
    this.presence = presence;
    this.streams = streams;
    this.clock = clock;
    this.startedAt = clock.instant();
    unmet.add(new Condition(this::describePresence, () -> !presence.knownFrom().isAfter(clock.instant())));
    Gauge.builder("uplift.converged", this, each -> each.isConverged() ? 1 : 0)
        .description("1 once this server has caught up with what happened before it started")
        .register(meters);
  }

  /// Starts to look. Once.
  public void start() {
    tasks.schedule(INTERVAL, "convergence", this::check);
  }

  /// Adds what a server with the role `worker` has to catch up with. Before it takes the role.
  public void awaitReconciled(
      UpgradeReconciler upgrades, RolloutReconciler rollouts, CommandStreamReconciler commandStream) {
    var unread = new UnreadMessages();
    unmet.add(new Condition(unread::describe, unread::areHandled));
    unmet.add(new Condition(() -> "open upgrades are compared with their workflows", upgrades::runAll));
    unmet.add(new Condition(() -> "open rollouts are compared with their workflows", rollouts::run));
    unmet.add(new Condition(() -> "commands in the stream are compared with the tables", commandStream::run));
  }

  /// Looks now at what is not met yet. Each condition is asked even if one before it is not met.
  void check() {
    if (isConverged()) {
      return;
    }
    List<Condition> met = unmet.stream().filter(Condition::isMetNow).toList();
    unmet.removeAll(met);
    if (isConverged()) {
      LOG.info("converged {} s after the start", Duration.between(startedAt, clock.instant()).toSeconds());
    }
  }

  /// Returns whether everything is caught up with.
  public boolean isConverged() {
    return unmet.isEmpty();
  }

  /// Returns what is not caught up with yet, as sentences for people.
  public List<String> missing() {
    return unmet.stream().map(condition -> condition.reason().get()).toList();
  }

  @Override
  public List<DiagnosisFinding> diagnose() {
    List<String> open = missing();
    return open.isEmpty()
        ? List.of(DiagnosisFinding.ok(PART, "this server has caught up since its start at " + startedAt))
        : open.stream()
            .map(reason ->
                DiagnosisFinding.warning(
                    PART,
                    "this server recovers since its start at %s: %s".formatted(startedAt, reason),
                    "wait; if it lasts, mend what is wrong with nats, temporal or database"))
            .toList();
  }

  private String describePresence() {
    return "which hosts are silent is known from %s on".formatted(presence.knownFrom());
  }

  /// The messages that were in a stream when this server first looked.
  private final class UnreadMessages {
    private final Map<String, Long> until = new HashMap<>();

    synchronized boolean areHandled() {
      Map<String, StreamPosition> positions = streams.positions();
      positions.forEach((stream, position) -> until.putIfAbsent(stream, position.last()));
      return !positions.isEmpty()
          && positions.entrySet().stream()
              .allMatch(each -> each.getValue().handled() >= until.getOrDefault(each.getKey(), Long.MAX_VALUE));
    }

    synchronized String describe() {
      return until.isEmpty()
          ? "the streams of events and infos are not reached yet"
          : "messages from before the start are not handled yet";
    }
  }

  @Override
  public void close() {
    tasks.close();
  }
}
