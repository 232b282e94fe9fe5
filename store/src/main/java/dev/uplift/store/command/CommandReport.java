package dev.uplift.store.command;

import dev.uplift.fleet.HostId;
import java.time.Instant;
import java.util.Optional;

/// What becomes known of a command before its outcome.
///
/// @param id of the command, or of the cancel that was published in its place
/// @param publications how often it was published since the last report
/// @param publishedAt the first time of them
/// @param sequence of the last of them in the stream
/// @param acceptedAt since when the agent has it
/// @param progress what the agent does, for people
public record CommandReport(
    String tenant,
    HostId host,
    String id,
    int publications,
    Optional<Instant> publishedAt,
    Optional<Long> sequence,
    Optional<Instant> acceptedAt,
    Optional<String> progress) {
  /// It was published to the subject of its host.
  ///
  /// @param id as in [CommandRow#toPublish]
  public static CommandReport published(String tenant, HostId host, String id, long sequence, Instant at) {
    return new CommandReport(
        tenant, host, id, 1, Optional.of(at), Optional.of(sequence), Optional.empty(), Optional.empty());
  }

  /// The agent has it.
  public static CommandReport accepted(String tenant, HostId host, String id, Instant at) {
    return new CommandReport(
        tenant, host, id, 0, Optional.empty(), Optional.empty(), Optional.of(at), Optional.empty());
  }

  /// The agent works on it.
  public static CommandReport progress(String tenant, HostId host, String id, String text) {
    return new CommandReport(
        tenant, host, id, 0, Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(text));
  }

  /// Returns both in one, if they are of one command.
  CommandReport followedBy(CommandReport later) {
    return new CommandReport(
        tenant,
        host,
        id,
        publications + later.publications,
        publishedAt.or(later::publishedAt),
        later.sequence.or(this::sequence),
        acceptedAt.or(later::acceptedAt),
        later.progress.or(this::progress));
  }
}
