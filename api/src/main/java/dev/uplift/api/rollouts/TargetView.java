package dev.uplift.api.rollouts;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.uplift.api.json.ValueReaders;
import dev.uplift.fleet.ErrorClass;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.store.rollout.RolloutStatistics.FailureGroup;
import dev.uplift.store.rollout.TargetError;
import dev.uplift.store.rollout.TargetRow;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// A device in a rollout.
///
/// @param prepared whether it is prepared and waits for its window
/// @param attempt number of the current, next or last attempt, from 1
/// @param upgrade id of the upgrade of this attempt
/// @param outcome of the last attempt; absent while it is retried
/// @param error the first error
/// @param nextAttemptAt when the next attempt may start
/// @param offlineSince when its turn had come and a host of it was not heard; absent while that is not so
/// @param revertUpgrade id of the upgrade that reverts it
@Serdeable
record TargetView(
    String device,
    int wave,
    @Schema(implementation = TargetState.class) String state,
    boolean prepared,
    int attempt,
    Optional<String> upgrade,
    Optional<String> outcome,
    boolean changed,
    Optional<TargetErrorView> error,
    Optional<Instant> startedAt,
    Optional<Instant> endedAt,
    Optional<Instant> nextAttemptAt,
    Optional<Instant> offlineSince,
    Optional<String> revertUpgrade,
    Optional<String> revertOutcome) {

  /// The first error of an upgrade.
  @Serdeable
  record TargetErrorView(
      String code,
      @JsonProperty("class") @Schema(implementation = ErrorClass.class) Optional<String> errorClass,
      String message) {
    static TargetErrorView of(TargetError error) {
      return new TargetErrorView(error.code(), unlessEmpty(error.errorClass()), error.text());
    }
  }

  /// Devices whose first error was the same.
  ///
  /// @param exampleMessage the text of one of them
  /// @param exampleDevices names of the first few
  @Serdeable
  record FailureGroupView(
      String code,
      @JsonProperty("class") @Schema(implementation = ErrorClass.class) Optional<String> errorClass,
      String exampleMessage,
      int devices,
      List<String> exampleDevices) {
    static FailureGroupView of(FailureGroup group) {
      return new FailureGroupView(
          group.code(),
          unlessEmpty(group.errorClass()),
          group.exampleText(),
          group.deviceCount(),
          group.exampleDevices());
    }
  }

  static TargetView of(TargetRow row) {
    return new TargetView(
        row.device(),
        row.queuePosition().wave(),
        row.state().toString(),
        row.prepareAhead() && row.state() == TargetState.STARTED,
        row.attempt(),
        row.upgrade(),
        row.result().map(Object::toString),
        row.changed(),
        row.error().map(TargetErrorView::of),
        row.startedAt(),
        row.endedAt(),
        row.notBefore(),
        row.offlineSince(),
        row.revertUpgrade(),
        row.revertOutcome().map(ValueReaders::enumWord));
  }

  private static Optional<String> unlessEmpty(String text) {
    return Optional.of(text).filter(said -> !said.isEmpty());
  }
}
