package dev.uplift.cli.upgrade;

import dev.uplift.cli.text.PrintableJson;
import dev.uplift.cli.text.TextFormat;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// State of one upgrade. Fields without a value are empty.
///
/// @param revertOf the upgrade that it reverts; empty if it is no revert
/// @param phase coarse: `prepare`, `upgrade`, `rollback`, …
/// @param outcome empty while it runs
/// @param reason the first error, the deadline, or the operator who aborted it; empty without a problem
/// @param pausedBy empty unless it is paused
/// @param failingWorkflow why its workflow does not continue; empty if it does
/// @param temporalLink URL in Temporal Web UI
/// @param stepTimeouts how long steps may take, in words; empty if they are not shown
public record UpgradeResponse(
    String id,
    String device,
    String packageName,
    String version,
    String revertOf,
    String phase,
    String outcome,
    String reason,
    List<Host> hosts,
    List<Wait> waits,
    List<Step> steps,
    Optional<Instant> startedAt,
    Optional<Instant> endedAt,
    String pausedBy,
    String failingWorkflow,
    String temporalLink,
    String stepTimeouts) {

  /// Progress of a host.
  ///
  /// @param version last observed
  public record Host(String host, String progress, String version) {}

  /// A condition that the upgrade waits for.
  ///
  /// @param kind `result`, `heartbeat`, `person`, …
  /// @param message description for people
  /// @param presence of the host: `online`, `silent`, `unknown`
  public record Wait(String kind, String host, String step, String message, String presence, Optional<Instant> since) {
    /// Returns whether a host executes a command, so that only its result is awaited.
    public boolean isForHostResult() {
      return kind.equals("result");
    }
  }

  /// A command to a host.
  ///
  /// @param result reported by the host; empty until then
  /// @param text its error or progress
  /// @param log the end of its log, of one or more lines; empty if there is none
  public record Step(
      String id,
      String host,
      String step,
      String result,
      String text,
      String log,
      Optional<Instant> sentAt,
      Optional<Instant> finishedAt) {
    public boolean hasFailed() {
      return result.equals("error");
    }

    public boolean isFinished() {
      return !result.isEmpty();
    }
  }

  public boolean hasEnded() {
    return !outcome.isEmpty();
  }

  /// Returns whether the device runs the requested version; for a revert, the previous version.
  public boolean hasSucceeded() {
    String success = isRevert() ? "rolled-back" : "upgraded";
    return outcome.equals(success) || outcome.equals("no-action");
  }

  private boolean isRevert() {
    return !revertOf.isEmpty();
  }

  /// Returns the last reported progress of the current step of a host; empty if none was reported.
  String stepProgress(String host, String step) {
    return steps.stream()
        .filter(one -> one.host().equals(host) && one.step().equals(step) && !one.isFinished())
        .map(Step::text)
        .reduce("", (_, newest) -> newest);
  }

  public String release() {
    return (isRevert() ? "revert of " : "") + packageName + " " + version;
  }

  public static UpgradeResponse of(JsonNode response) {
    JsonNode json = PrintableJson.of(response);
    return new UpgradeResponse(
        text(json, "id"),
        text(json, "device"),
        text(json, "package"),
        text(json, "version"),
        text(json, "revert_of"),
        text(json, "phase"),
        text(json, "outcome"),
        reason(json.path("reason")),
        json.path("hosts").valueStream().map(UpgradeResponse::host).toList(),
        json.path("waiting").valueStream().map(UpgradeResponse::waiting).toList(),
        json.path("timeline").valueStream().map(UpgradeResponse::step).toList(),
        time(json, "started_at"),
        time(json, "ended_at"),
        text(json, "paused_by"),
        text(json, "failing_workflow"),
        text(json, "temporal_ui"),
        stepTimeouts(json.path("step_timeouts")));
  }

  private static String stepTimeouts(JsonNode json) {
    return json.properties().stream()
        .map(step ->
            step.getKey().replace("_seconds", "").replace('_', '-')
                + " "
                + TextFormat.formatDuration(Duration.ofSeconds(step.getValue().asLong(0))))
        .collect(Collectors.joining(", "));
  }

  private static String reason(JsonNode reason) {
    String code = text(reason, "code");
    String message = text(reason, "message");
    return code.isEmpty() || message.isEmpty() ? code + message : code + ": " + message;
  }

  private static Host host(JsonNode json) {
    String progress = text(json, "progress");
    return new Host(
        text(json, "host"),
        json.path("skipped").asBoolean(false) ? progress + ", skipped" : progress,
        text(json, "version"));
  }

  private static Wait waiting(JsonNode json) {
    return new Wait(
        text(json, "reason"),
        text(json, "host"),
        text(json, "step"),
        text(json, "message"),
        text(json.path("presence"), "presence"),
        time(json, "since"));
  }

  private static Step step(JsonNode json) {
    JsonNode outcome = json.path("outcome");
    String error = reason(outcome);
    return new Step(
        text(json, "id"),
        text(json, "host"),
        text(json, "step"),
        text(outcome, "result"),
        error.isEmpty() ? text(json, "progress") : error,
        text(outcome, "log"),
        time(json, "published_at"),
        time(json, "closed_at"));
  }

  private static String text(JsonNode json, String field) {
    return json.path(field).asString("");
  }

  private static Optional<Instant> time(JsonNode json, String field) {
    try {
      return json.path(field).asStringOpt().map(Instant::parse);
    } catch (DateTimeException _) {
      // Unknown is shown rather than nothing.
      return Optional.empty();
    }
  }
}
