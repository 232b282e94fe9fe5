package dev.uplift.store.rollout;

import static java.util.Objects.requireNonNull;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A row of `rollout_wave`.
@MappedEntity("rollout_wave")
record WaveEntity(
    String tenant,
    String rollout,
    @Id int number,
    int planIndex,
    String title,
    int size,
    @Nullable String approvedBy,
    @Nullable Instant approvedAt,
    @Nullable String remark,
    @Nullable Instant startedAt,
    @Nullable Instant lastEndedAt,
    @Nullable Instant completedAt,
    @Nullable String completedBy) {

  WaveRow toRow() {
    return new WaveRow(
        number,
        planIndex,
        title,
        size,
        Optional.ofNullable(approvedBy)
            .map(
                by -> new WaveRow.Approval(by, requireNonNull(approvedAt), requireNonNull(remark))),
        Optional.ofNullable(startedAt),
        Optional.ofNullable(lastEndedAt),
        Optional.ofNullable(completedAt),
        Optional.ofNullable(completedBy));
  }
}
