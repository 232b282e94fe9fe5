package dev.uplift.cli.upgrade;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// One upgrade at one moment. A field that the server does not have yet is empty.
///
/// @param revertOf the upgrade that it takes back; empty unless it does
/// @param phase coarse: `prepare`, `upgrade`, `rollback`, …
/// @param outcome empty while it runs
/// @param reason first error, deadline, or abort by whom; empty where nothing went wrong
/// @param pausedBy empty unless it is paused
/// @param temporalLink into Temporal Web UI
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
    String temporalLink) {

  /// How far a host got.
  ///
  /// @param version that it was last found to run
  public record Host(String host, String progress, String version) {}

  /// Something that the upgrade waits for.
  ///
  /// @param kind kind of thing: `answer`, `heartbeat`, `person`, …
  /// @param sentence what it waits for, for people
  /// @param presence whether the host is there now: `running`, `silent`, `unknown`
  public record Wait(
      String kind,
      String host,
      String step,
      String sentence,
      String presence,
      Optional<Instant> since) {
    /// Whether a host is at work, rather than something being waited for beyond it.
    public boolean isForHostResult() {
      return kind.equals("answer");
    }
  }

  /// A command to a host.
  ///
  /// @param result what the host answered; empty until it does
  /// @param text what it said beside it: the error, or how far it is
  public record Step(
      String id,
      String host,
      String step,
      String result,
      String text,
      Optional<Instant> sentAt,
      Optional<Instant> finishedAt) {
    public boolean isFinished() {
      return !result.isEmpty();
    }
  }

  public boolean hasEnded() {
    return !outcome.isEmpty();
  }

  /// Whether the device runs the wanted version now; of one that takes back the version from
  /// before.
  public boolean hasSucceeded() {
    String done = isRevert() ? "rolled-back" : "upgraded";
    return outcome.equals(done) || outcome.equals("no-action");
  }

  private boolean isRevert() {
    return !revertOf.isEmpty();
  }

  /// What the host last said of the step that it is at; empty if it has not said anything.
  String stepProgress(String host, String step) {
    return steps.stream()
        .filter(one -> one.host().equals(host) && one.step().equals(step) && !one.isFinished())
        .map(Step::text)
        .reduce("", (_, newest) -> newest);
  }

  public String release() {
    return (isRevert() ? "back from " : "") + packageName + " " + version;
  }

  public static UpgradeResponse of(JsonNode json) {
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
        text(json, "temporal_ui"));
  }

  private static String reason(JsonNode reason) {
    String code = text(reason, "code");
    String said = text(reason, "text");
    return code.isEmpty() || said.isEmpty() ? code + said : code + ": " + said;
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
        text(json, "what"),
        text(json, "host"),
        text(json, "step"),
        text(json, "sentence"),
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
        time(json, "published_at"),
        time(json, "settled_at"));
  }

  private static String text(JsonNode json, String field) {
    return json.path(field).asString("");
  }

  private static Optional<Instant> time(JsonNode json, String field) {
    try {
      return json.path(field).asStringOpt().map(Instant::parse);
    } catch (DateTimeException _) {
      // Shown as unknown rather than not at all.
      return Optional.empty();
    }
  }
}
