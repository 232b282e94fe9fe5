package dev.uplift.cli.rest;

import dev.uplift.cli.text.TextFormat;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/// Since when no server responds to a command that waits until one does again.
public final class ServerOutage {
  private final InstantSource clock;
  private Optional<Instant> since = Optional.empty();

  public ServerOutage(InstantSource clock) {
    this.clock = clock;
  }

  /// Records that a request has failed. Returns whether the outage has just begun.
  ///
  /// @throws CliException the failure itself, if a server has responded
  public boolean begin(CliException failed) {
    if (failed.exitCode() != CliException.UNREACHABLE) {
      throw failed;
    }
    boolean isNew = since.isEmpty();
    if (isNew) {
      since = Optional.of(clock.instant());
    }
    return isNew;
  }

  /// Records that a server responds. Returns a line about the end of the outage, if there was one.
  public Optional<String> end() {
    Optional<String> line =
        since.map(begin -> "%s  a server responds again".formatted(TextFormat.timeOfDay(clock.instant())));
    since = Optional.empty();
    return line;
  }

  /// Returns a line for people; empty while a server responds.
  public Optional<String> notice() {
    return since.map(begin ->
        "no server responds since %s; what runs continues, and so does this command as soon as one does"
            .formatted(TextFormat.timeOfDay(begin)));
  }
}
