package dev.uplift.store.upgrade;

import dev.uplift.fleet.Outcome;
import dev.uplift.store.StoredText;
import java.util.Optional;

/// How an upgrade ended.
///
/// @param reason empty where nothing went wrong
/// @param hostReports JSON, a list of what became of each host, as the workflow reported it
public record UpgradeEnd(Outcome outcome, Optional<EndReason> reason, String hostReports) {
  /// Returns whether every host now runs the release.
  public boolean isSuccess() {
    return outcome == Outcome.UPGRADED || outcome == Outcome.NO_ACTION;
  }

  /// Returns it as it is read once it is recorded.
  UpgradeEnd asStored() {
    return new UpgradeEnd(outcome, reason.map(EndReason::asStored), StoredText.sanitize(hostReports));
  }

  /// The reason of the end, in words that the packages define from which they come.
  ///
  /// @param kind `error`, `declined`, `deadline`, `abort`; only an `error` speaks against the release
  /// @param code of an error what the agent or its driver said
  /// @param errorClass `retryable`, `final`, …; empty where it was no error
  /// @param text for people
  public record EndReason(String kind, String code, String errorClass, String text) {
    private EndReason asStored() {
      return new EndReason(kind, StoredText.sanitize(code), StoredText.sanitize(errorClass), StoredText.sanitize(text));
    }
  }
}
