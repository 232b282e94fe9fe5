package dev.uplift.store.rollout;

import static java.util.Objects.requireNonNull;

import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.store.EnumCodec;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// A row of `rollout_target`.
@MappedEntity("rollout_target")
record TargetEntity(
    String tenant,
    String rollout,
    @Id String device,
    int wave,
    long position,
    String state,
    boolean prepareAhead,
    int attempt,
    @Nullable String upgrade,
    @Nullable String result,
    @Nullable Long resultNumber,
    boolean changed,
    @Nullable String errorCode,
    @Nullable String errorClass,
    @Nullable String errorText,
    @Nullable Instant startedAt,
    @Nullable Instant previousStartedAt,
    @Nullable Instant endedAt,
    @Nullable Instant notBefore,
    int revertCount,
    @Nullable String revertUpgrade,
    @Nullable String revertOutcome) {

  /// A target that was not started yet.
  static TargetEntity pending(RolloutId id, String device, int wave, long position) {
    return new TargetEntity(
        id.tenant(),
        id.name(),
        device,
        wave,
        position,
        EnumCodec.encode(TargetState.PENDING),
        false,
        1,
        null,
        null,
        null,
        false,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        0,
        null,
        null);
  }

  TargetRow toRow() {
    return new TargetRow(
        device,
        new TargetRow.QueuePosition(wave, position),
        EnumCodec.decode(TargetState.class, state),
        prepareAhead,
        attempt,
        Optional.ofNullable(upgrade),
        Optional.ofNullable(result).map(word -> EnumCodec.decode(TargetResult.class, word)),
        resultNumber == null ? OptionalLong.empty() : OptionalLong.of(resultNumber),
        changed,
        Optional.ofNullable(errorCode)
            .map(code ->
                new TargetError(code, requireNonNull(errorClass), requireNonNull(errorText))),
        Optional.ofNullable(startedAt),
        Optional.ofNullable(endedAt),
        Optional.ofNullable(notBefore),
        Optional.ofNullable(revertUpgrade),
        Optional.ofNullable(revertOutcome).map(word -> EnumCodec.decode(Outcome.class, word)));
  }
}
