package dev.uplift.store.rollout;

import static java.util.Objects.requireNonNull;

import dev.uplift.fleet.RolloutId;
import dev.uplift.store.TextColumn;
import dev.uplift.store.TimeColumn;
import dev.uplift.store.rollout.RolloutMembership.NewWave;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A wave as it is now.
///
/// @param planIndex of its plan in the list of waves, from 0; -1 if the plan has none
/// @param size number of its devices
/// @param lastEndedAt when the newest result of one of its devices was recorded
/// @param completedAt when the next one started, or a person declared it completed
/// @param completedBy the person, if one did
/// @param watchedMs how much of its soak was watched, since the newest result
/// @param watchedUntil when that was last extended
/// @param unheard names of devices that were not heard when last checked, for people
@MappedEntity("rollout_wave")
public record WaveRow(
    String tenant,
    String rollout,
    @Id int number,
    int planIndex,
    @MappedProperty(converter = TextColumn.class) String title,
    int size,
    @MappedProperty(converter = TextColumn.class) Optional<String> approvedBy,
    @Nullable Instant approvedAt,
    @Nullable String remark,
    @MappedProperty(converter = TimeColumn.class) Optional<Instant> startedAt,
    @MappedProperty(converter = TimeColumn.class) Optional<Instant> lastEndedAt,
    @MappedProperty(converter = TimeColumn.class) Optional<Instant> completedAt,
    @MappedProperty(converter = TextColumn.class) Optional<String> completedBy,
    long watchedMs,
    @MappedProperty(converter = TimeColumn.class) Optional<Instant> watchedUntil,
    @MappedProperty(converter = TextColumn.class) String unheard) {
  /// The approval that the wave needed in order to start, once it has it.
  public record Approval(String by, Instant at, String remark) {}

  static WaveRow pending(RolloutId id, NewWave wave) {
    Optional<Instant> never = Optional.empty();
    Optional<String> none = Optional.empty();
    int size = wave.devices().size();
    return new WaveRow(
        id.tenant(),
        id.name(),
        wave.number(),
        wave.planIndex(),
        wave.title(),
        size,
        none,
        null,
        null,
        never,
        never,
        never,
        none,
        0,
        never,
        "");
  }

  public Duration watched() {
    return Duration.ofMillis(watchedMs);
  }

  public Optional<Approval> approval() {
    return approvedBy.map(by -> new Approval(by, requireNonNull(approvedAt), requireNonNull(remark)));
  }
}
