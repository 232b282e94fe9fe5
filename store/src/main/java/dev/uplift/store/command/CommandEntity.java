package dev.uplift.store.command;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Step;
import dev.uplift.store.EnumCodec;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A row of `command`, with the cancel that belongs to it where a query joins that.
@MappedEntity("command")
record CommandEntity(
    String tenant,
    @Id String id,
    String upgrade,
    String host,
    String step,
    int generation,
    long epoch,
    @Nullable String body,
    @Nullable String signature,
    @Nullable String workflowId,
    @Nullable String activityId,
    @Nullable String cancelledBy,
    @Nullable String outcome,
    @Nullable String progress,
    @Nullable Long streamSequence,
    int publishCount,
    Instant createdAt,
    @Nullable Instant publishedAt,
    @Nullable Instant acceptedAt,
    @Nullable Instant closedAt,
    @Nullable String cancelBody,
    @Nullable String cancelSignature,
    @Nullable Long cancelStreamSequence) {

  CommandRow toRow() {
    return new CommandRow(
        key(),
        id,
        epoch,
        signed(id, body, signature),
        workflowId == null || activityId == null
            ? Optional.empty()
            : Optional.of(new WaitingActivity(workflowId, activityId)),
        signed(cancelledBy, cancelBody, cancelSignature),
        Optional.ofNullable(outcome),
        Optional.ofNullable(progress),
        newestSequence(),
        times());
  }

  TimelineEntry toTimelineEntry(List<TimelineEntry.LateOutcome> lateOutcomes) {
    return new TimelineEntry(
        key(),
        id,
        epoch,
        body == null,
        Optional.ofNullable(cancelledBy),
        Optional.ofNullable(outcome),
        Optional.ofNullable(progress),
        times(),
        lateOutcomes);
  }

  private CommandKey key() {
    return new CommandKey(
        tenant, upgrade, new HostId(host), EnumCodec.decode(Step.class, step), generation);
  }

  private CommandTimes times() {
    return new CommandTimes(
        createdAt,
        Optional.ofNullable(publishedAt),
        publishCount,
        Optional.ofNullable(acceptedAt),
        Optional.ofNullable(closedAt));
  }

  private OptionalLong newestSequence() {
    return Stream.of(Optional.ofNullable(streamSequence), Optional.ofNullable(cancelStreamSequence))
        .flatMap(Optional::stream)
        .mapToLong(Long::longValue)
        .max();
  }

  private static Optional<SignedCommand> signed(
      @Nullable String id, @Nullable String body, @Nullable String signature) {
    return id == null || body == null || signature == null
        ? Optional.empty()
        : Optional.of(new SignedCommand(id, body, signature));
  }
}
