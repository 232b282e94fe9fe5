package dev.uplift.api.upgrades;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.MalformedMessage;
import dev.uplift.protocol.Result;
import dev.uplift.store.TimelineEntry;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// A command to a host and what became of it.
///
/// @param generation how often the step was ordered anew on purpose
/// @param withdrawn whether it was cancelled before it was ever written
/// @param publishedAt when it was first sent; absent if it never was
/// @param sends how often it was sent
/// @param progress what the agent last said of it
/// @param late what the agent said after its outcome
@Serdeable
record CommandView(
    String id,
    String host,
    String step,
    int generation,
    boolean withdrawn,
    Optional<String> cancelledBy,
    Instant mintedAt,
    Optional<Instant> publishedAt,
    int sends,
    Optional<Instant> acceptedAt,
    Optional<Instant> settledAt,
    Optional<String> progress,
    Optional<OutcomeView> outcome,
    List<LateView> late) {

  /// What the agent answered.
  ///
  /// @param result `done`, `reboot-required`, `handover-required`, `cancelled`, `error`
  /// @param code of an error
  /// @param errorClass of an error: `retryable`, `final`, `declined`, `needs-person`
  /// @param version of the package as the host ran it then
  /// @param log its end
  @Serdeable
  record OutcomeView(
      String result,
      Optional<String> code,
      @JsonProperty("class") Optional<String> errorClass,
      Optional<String> text,
      Optional<String> version,
      Optional<String> bootId,
      Optional<String> log) {

    static OutcomeView of(String said) {
      try {
        return of(Event.read(said.getBytes(UTF_8)));
      } catch (MalformedMessage _) {
        // Of an older or newer version than ours: shown as it is.
        return new OutcomeView(
            "unreadable",
            Optional.empty(),
            Optional.empty(),
            Optional.of(said),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
      }
    }

    private static OutcomeView of(Event event) {
      if (!(event.said() instanceof Event.Outcome(Result result, String log))) {
        throw new MalformedMessage("not an outcome");
      }
      Optional<Result.Failed> failed =
          result instanceof Result.Failed failure ? Optional.of(failure) : Optional.empty();
      return new OutcomeView(
          word(result),
          failed.map(Result.Failed::code),
          failed.map(failure -> failure.errorClass().word()),
          failed.map(Result.Failed::text),
          Optional.of(event.version()),
          Optional.of(event.bootId()),
          Optional.of(log).filter(text -> !text.isEmpty()));
    }

    private static String word(Result result) {
      return switch (result) {
        case Result.Done _ -> "done";
        case Result.RebootRequired _ -> "reboot-required";
        case Result.HandoverRequired _ -> "handover-required";
        case Result.Cancelled _ -> "cancelled";
        case Result.Failed _ -> "error";
      };
    }
  }

  /// An answer that came too late to count.
  @Serdeable
  record LateView(Instant at, OutcomeView outcome) {}

  static CommandView of(TimelineEntry entry) {
    var times = entry.times();
    return new CommandView(
        entry.id(),
        entry.key().host().value(),
        entry.key().step().toString(),
        entry.key().generation(),
        entry.withdrawn(),
        entry.cancelledBy(),
        times.minted(),
        times.published(),
        times.sends(),
        times.accepted(),
        times.settled(),
        entry.progress(),
        entry.outcome().map(OutcomeView::of),
        entry.late().stream()
            .map(late -> new LateView(late.at(), OutcomeView.of(late.outcome())))
            .toList());
  }
}
