package dev.uplift.api.upgrades;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.uplift.fleet.ErrorClass;
import dev.uplift.fleet.Step;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.json.MalformedMessage;
import dev.uplift.store.command.CommandRow;
import dev.uplift.store.command.TimelineEntry;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// A command to a host and its outcome.
///
/// @param generation how often the step was requested again on purpose
/// @param cancelledBeforeSend whether it was cancelled before it was created
/// @param publishedAt when it was first sent; absent if it never was
/// @param publishCount how often it was sent
/// @param progress the last progress reported by the agent
/// @param lateOutcomes further outcomes, which came after the first one
@Serdeable
record CommandView(
    String id,
    String host,
    @Schema(implementation = Step.class) String step,
    int generation,
    boolean cancelledBeforeSend,
    Optional<String> cancelledBy,
    Instant createdAt,
    Optional<Instant> publishedAt,
    int publishCount,
    Optional<Instant> acceptedAt,
    Optional<Instant> closedAt,
    Optional<String> progress,
    Optional<CommandOutcomeView> outcome,
    List<LateOutcomeView> lateOutcomes) {

  /// The answer of the agent.
  ///
  /// @param result `unreadable`: of another version than ours; `message` has it as it is
  /// @param code of an error
  /// @param errorClass of an error
  /// @param message of an error
  /// @param version of the package that the host ran then
  /// @param log the end of the log, at most 8 KiB; absent once it is older than logs are kept
  @Serdeable
  record CommandOutcomeView(
      @Schema(
              type = "string",
              allowableValues = {"done", "reboot-required", "handover-required", "cancelled", "error", "unreadable"})
          String result,
      Optional<String> code,
      @JsonProperty("class") @Schema(implementation = ErrorClass.class) Optional<String> errorClass,
      Optional<String> message,
      Optional<String> version,
      Optional<String> bootId,
      Optional<String> log) {

    static CommandOutcomeView of(String said, Optional<String> log) {
      try {
        return of(Event.read(said.getBytes(UTF_8)), log);
      } catch (MalformedMessage _) {
        // Written by another version of the server: shown as it is.
        return new CommandOutcomeView(
            "unreadable",
            Optional.empty(),
            Optional.empty(),
            Optional.of(said),
            Optional.empty(),
            Optional.empty(),
            log);
      }
    }

    private static CommandOutcomeView of(Event event, Optional<String> log) {
      if (!(event.content() instanceof Event.Outcome(CommandResult commandResult, _))) {
        throw new MalformedMessage("not an outcome");
      }
      Optional<CommandResult.Failed> failed =
          commandResult instanceof CommandResult.Failed failure ? Optional.of(failure) : Optional.empty();
      return new CommandOutcomeView(
          resultWord(commandResult),
          failed.map(CommandResult.Failed::code),
          failed.map(failure -> failure.errorClass().wireName()),
          failed.map(CommandResult.Failed::text),
          Optional.of(event.version()),
          Optional.of(event.bootId()),
          log);
    }

    private static String resultWord(CommandResult commandResult) {
      return switch (commandResult) {
        case CommandResult.Done _ -> "done";
        case CommandResult.RebootRequired _ -> "reboot-required";
        case CommandResult.HandoverRequired _ -> "handover-required";
        case CommandResult.Cancelled _ -> "cancelled";
        case CommandResult.Failed _ -> "error";
      };
    }
  }

  /// An answer that came too late to count.
  @Serdeable
  record LateOutcomeView(Instant receivedAt, CommandOutcomeView outcome) {}

  /// The end of the log of a command, as the agent sent it with its answer.
  ///
  /// @param command id of the command
  /// @param generation how often the step was requested again on purpose
  /// @param at when the answer was received
  /// @param log at most 8 KiB; characters that terminals obey are replaced
  @Serdeable
  record CommandLogView(
      String command,
      String host,
      @Schema(implementation = Step.class) String step,
      int generation,
      String result,
      Instant at,
      String log) {}

  /// Returns the log of the command and those of its late outcomes.
  Stream<CommandLogView> logs() {
    return Stream.concat(
        outcome.flatMap(answer -> log(closedAt.orElse(createdAt), answer)).stream(),
        lateOutcomes.stream().flatMap(late -> log(late.receivedAt(), late.outcome()).stream()));
  }

  private Optional<CommandLogView> log(Instant at, CommandOutcomeView answer) {
    return answer.log().map(text -> new CommandLogView(id, host, step, generation, answer.result(), at, text));
  }

  static CommandView of(TimelineEntry entry) {
    CommandRow row = entry.row();
    return new CommandView(
        row.id(),
        row.host().value(),
        row.step().toString(),
        row.generation(),
        row.isWithdrawn(),
        row.cancelledBy(),
        row.createdAt(),
        row.publishedAt(),
        row.publishCount(),
        row.acceptedAt(),
        row.closedAt(),
        row.progress(),
        row.outcome().map(said -> CommandOutcomeView.of(said, row.log())),
        entry.lateOutcomes().stream()
            .map(lateOutcome ->
                new LateOutcomeView(
                    lateOutcome.receivedAt(),
                    CommandOutcomeView.of(lateOutcome.outcome(), Optional.ofNullable(lateOutcome.log()))))
            .toList());
  }
}
