package dev.uplift.api.rollouts;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.uplift.api.json.Shapes;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.store.FailureGroup;
import dev.uplift.store.TargetError;
import dev.uplift.store.TargetRow;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// A device in a rollout.
///
/// @param prepared whether it is prepared and waits for its window
/// @param attempt which one it is in, or is to come, or was the last; from 1
/// @param upgrade id of the upgrade of this attempt
/// @param outcome what came of the last attempt; absent while it is tried again
/// @param error the first one, whatever came after
/// @param notBefore the end of the time between two tries
/// @param revertUpgrade id of the upgrade that takes it back
@Serdeable
record TargetView(
    String device,
    int wave,
    String state,
    boolean prepared,
    int attempt,
    Optional<String> upgrade,
    Optional<String> outcome,
    boolean touched,
    Optional<ErrorView> error,
    Optional<Instant> startedAt,
    Optional<Instant> endedAt,
    Optional<Instant> notBefore,
    Optional<String> revertUpgrade,
    Optional<String> revertOutcome) {

  /// What stopped an upgrade first.
  @Serdeable
  record ErrorView(String code, @JsonProperty("class") Optional<String> errorClass, String text) {
    static ErrorView of(TargetError error) {
      return new ErrorView(error.code(), unlessEmpty(error.errorClass()), error.text());
    }
  }

  /// Devices whose first error was the same.
  ///
  /// @param example the text of one of them
  /// @param some names of the first few
  @Serdeable
  record FailureView(
      String code,
      @JsonProperty("class") Optional<String> errorClass,
      String example,
      int devices,
      List<String> some) {
    static FailureView of(FailureGroup group) {
      return new FailureView(
          group.code(),
          unlessEmpty(group.errorClass()),
          group.example(),
          group.devices(),
          group.some());
    }
  }

  static TargetView of(TargetRow row) {
    return new TargetView(
        row.device(),
        row.turn().wave(),
        row.state().toString(),
        row.ahead() && row.state() == TargetState.STARTED,
        row.attempt(),
        row.upgrade(),
        row.verdict().map(Object::toString),
        row.touched(),
        row.error().map(ErrorView::of),
        row.startedAt(),
        row.endedAt(),
        row.notBefore(),
        row.revertUpgrade(),
        row.revertOutcome().map(Shapes::word));
  }

  private static Optional<String> unlessEmpty(String text) {
    return Optional.of(text).filter(said -> !said.isEmpty());
  }
}
