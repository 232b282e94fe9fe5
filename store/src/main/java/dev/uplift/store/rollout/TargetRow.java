package dev.uplift.store.rollout;

import static java.util.Objects.requireNonNull;

import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.store.TextColumn;
import dev.uplift.store.TimeColumn;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// A device in a rollout, as it is now.
///
/// @param position within the wave, in the order of starts
/// @param prepareAhead whether it was started before its window, and does not proceed yet
/// @param attempt the number of its current, next or last attempt; from 1
/// @param upgrade id of the upgrade of this attempt, once it was to be started
/// @param result of the last attempt; empty again while it is retried
/// @param changed whether a host was changed in any attempt
/// @param startedAt when the newest attempt was to be started
/// @param notBefore the end of the time between two attempts
/// @param revertUpgrade id of the upgrade that reverts it
/// @param revertOutcome how that ended
/// @param offlineSince when its turn had come and a host of it was not heard; empty while that is not so
@MappedEntity("rollout_target")
public record TargetRow(
    String tenant,
    String rollout,
    @Id String device,
    int wave,
    long position,
    @MappedProperty(converter = TextColumn.class) TargetState state,
    boolean prepareAhead,
    int attempt,
    @MappedProperty(converter = TextColumn.class) Optional<String> upgrade,
    @MappedProperty(converter = TextColumn.class) Optional<TargetResult> result,
    @MappedProperty("result_number") @Nullable Long number,
    boolean changed,
    @MappedProperty(converter = TextColumn.class) Optional<String> errorCode,
    @Nullable String errorClass,
    @Nullable String errorText,
    @MappedProperty(converter = TimeColumn.class) Optional<Instant> startedAt,
    @MappedProperty(converter = TimeColumn.class) Optional<Instant> previousStartedAt,
    @MappedProperty(converter = TimeColumn.class) Optional<Instant> endedAt,
    @MappedProperty(converter = TimeColumn.class) Optional<Instant> notBefore,
    int revertCount,
    @MappedProperty(converter = TextColumn.class) Optional<String> revertUpgrade,
    @MappedProperty(converter = TextColumn.class) Optional<Outcome> revertOutcome,
    @MappedProperty(converter = TimeColumn.class) Optional<Instant> offlineSince) {
  /// A place in the order of starts.
  ///
  /// @param position within the wave
  public record QueuePosition(int wave, long position) {
    /// Before all devices.
    public static final QueuePosition FIRST = new QueuePosition(0, -1);
  }

  static TargetRow pending(RolloutId id, String device, int wave, long position) {
    Optional<String> none = Optional.empty();
    Optional<Instant> never = Optional.empty();
    return new TargetRow(
        id.tenant(),
        id.name(),
        device,
        wave,
        position,
        TargetState.PENDING,
        false,
        1,
        none,
        Optional.empty(),
        null,
        false,
        none,
        null,
        null,
        never,
        never,
        never,
        never,
        0,
        none,
        Optional.empty(),
        never);
  }

  public QueuePosition queuePosition() {
    return new QueuePosition(wave, position);
  }

  /// Its place among all results of the rollout; a result without one is not judged.
  public OptionalLong resultNumber() {
    return number == null ? OptionalLong.empty() : OptionalLong.of(number);
  }

  /// The upgrade that works on the device: the one that reverts it, if it is reverting.
  Optional<String> currentUpgrade() {
    return state == TargetState.REVERTING ? revertUpgrade : upgrade;
  }

  /// The first error, whatever followed.
  public Optional<TargetError> error() {
    return errorCode.map(code -> new TargetError(code, requireNonNull(errorClass), requireNonNull(errorText)));
  }
}
