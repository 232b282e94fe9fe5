package dev.uplift.store.rollout;

import static java.util.Objects.requireNonNull;

import dev.uplift.fleet.Release;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.WaitReason;
import dev.uplift.store.EnumCodec;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A row of `rollout`.
@MappedEntity("rollout")
record RolloutEntity(
    String tenant,
    @Id String id,
    String title,
    @MappedProperty("package") String packageName,
    String version,
    String plan,
    String rules,
    String control,
    String state,
    int priority,
    int waveCount,
    int currentWave,
    long baselineResultNumber,
    long lastResultNumber,
    String createdBy,
    Instant createdAt,
    @Nullable Instant startAt,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt,
    @Nullable String outcome,
    @Nullable String waitReason,
    @Nullable String waitMessage,
    @Nullable Instant waitSince,
    @Nullable Instant waitUntil,
    long revision) {

  RolloutRow toRow() {
    return new RolloutRow(
        new RolloutId(tenant, id),
        title,
        new Release(packageName, version),
        plan,
        rules,
        control,
        EnumCodec.decode(RolloutState.class, state),
        priority,
        waveCount,
        currentWave,
        baselineResultNumber,
        lastResultNumber,
        createdBy,
        createdAt,
        Optional.ofNullable(startAt),
        Optional.ofNullable(startedAt),
        Optional.ofNullable(endedAt),
        Optional.ofNullable(outcome).map(word -> EnumCodec.decode(RolloutOutcome.class, word)),
        Optional.ofNullable(waitReason).map(this::toWait),
        revision);
  }

  private RolloutWait toWait(String reason) {
    return new RolloutWait(
        EnumCodec.decode(WaitReason.class, reason),
        requireNonNull(waitMessage),
        requireNonNull(waitSince),
        Optional.ofNullable(waitUntil));
  }
}
