package dev.uplift.store.command;

import static java.util.Objects.requireNonNull;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Step;
import dev.uplift.store.TextColumn;
import dev.uplift.store.TimeColumn;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A command and its outcome, joined with the command that cancels it. All times are those of the server's clock.
///
/// @param epoch rises with every command to the host; 0 of one that was withdrawn
/// @param body empty if it was withdrawn: cancelled before it was ever created
/// @param workflowId of the activity that waits for the outcome; the newest one
/// @param cancelledBy id of the command that cancels it
/// @param outcome exactly as the agent reported it first, without its log
/// @param progress the newest report of the agent on it, for people
/// @param publishedAt when it was published first; empty if it never was
/// @param acceptedAt since when the agent has it
/// @param closedAt when its outcome was recorded, or it was withdrawn
/// @param log the end of the log that came with the outcome; empty also once it is older than logs are kept
@MappedEntity("command")
public record CommandRow(
    String tenant,
    @Id String id,
    String upgrade,
    @MappedProperty(converter = TextColumn.class) HostId host,
    @MappedProperty(converter = TextColumn.class) Step step,
    int generation,
    long epoch,
    @MappedProperty(converter = TextColumn.class) Optional<String> body,
    @Nullable String signature,
    @MappedProperty(converter = TextColumn.class) Optional<String> workflowId,
    @Nullable String activityId,
    @MappedProperty(converter = TextColumn.class) Optional<String> cancelledBy,
    @MappedProperty(converter = TextColumn.class) Optional<String> outcome,
    @MappedProperty(converter = TextColumn.class) Optional<String> progress,
    @MappedProperty("stream_sequence") @Nullable Long sequence,
    int publishCount,
    Instant createdAt,
    @MappedProperty(converter = TimeColumn.class) Optional<Instant> publishedAt,
    @MappedProperty(converter = TimeColumn.class) Optional<Instant> acceptedAt,
    @MappedProperty(converter = TimeColumn.class) Optional<Instant> closedAt,
    @MappedProperty(converter = TextColumn.class) Optional<String> log,
    @MappedProperty(converter = TextColumn.class) Optional<String> cancelBody,
    @Nullable String cancelSignature,
    @MappedProperty("cancel_stream_sequence") @Nullable Long cancelSequence) {
  /// Returns a row that was just created, as it is read.
  ///
  /// @param now to the millisecond
  static CommandRow created(
      CommandKey key, long epoch, SignedCommand command, Optional<WaitingActivity> waiter, Instant now) {
    return new CommandRow(
        key.tenant(),
        command.id(),
        key.upgrade(),
        key.host(),
        key.step(),
        key.generation(),
        epoch,
        Optional.of(command.body()),
        command.signature(),
        waiter.map(WaitingActivity::workflowId),
        waiter.map(WaitingActivity::activityId).orElse(null),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        null,
        0,
        now,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        null,
        null);
  }

  public CommandKey key() {
    return new CommandKey(tenant, upgrade, host, step, generation);
  }

  /// Empty if it was withdrawn.
  public Optional<SignedCommand> command() {
    return body.map(text -> new SignedCommand(id, text, requireNonNull(signature)));
  }

  /// The command that cancels this one.
  public Optional<SignedCommand> cancel() {
    return cancelBody.map(text -> new SignedCommand(cancelledBy.orElseThrow(), text, requireNonNull(cancelSignature)));
  }

  /// The activity that waits for the outcome; the newest one.
  public Optional<WaitingActivity> waiter() {
    return workflowId.map(workflow -> new WaitingActivity(workflow, requireNonNull(activityId)));
  }

  /// Sequence in the stream of the newest publish of it or of its cancel.
  public OptionalLong streamSequence() {
    return Stream.of(Optional.ofNullable(sequence), Optional.ofNullable(cancelSequence))
        .flatMap(Optional::stream)
        .mapToLong(Long::longValue)
        .max();
  }

  /// Returns whether it was cancelled before it was ever created. It never will be, and no agent answers it.
  public boolean isWithdrawn() {
    return body.isEmpty();
  }

  /// Returns what is published for it: once it is cancelled the cancel, and never again the command itself.
  ///
  /// @throws IllegalStateException if it was withdrawn
  public SignedCommand toPublish() {
    return cancel().or(this::command).orElseThrow(() -> new IllegalStateException(id + " is withdrawn"));
  }
}
