package dev.uplift.cli.rollout;

import dev.uplift.cli.text.PrintableJson;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// State of one rollout.
///
/// @param waitReason a sentence; empty while it makes progress
/// @param json the whole response
public record RolloutResponse(
    String id,
    String title,
    String release,
    String state,
    String outcome,
    int wave,
    int waveCount,
    String waitReason,
    Counts counts,
    List<Wave> waves,
    JsonNode json) {

  public static RolloutResponse of(JsonNode response) {
    JsonNode json = PrintableJson.of(response);
    return new RolloutResponse(
        json.path("id").asString(""),
        json.path("title").asString(""),
        json.path("package").asString("") + " " + json.path("version").asString(""),
        json.path("state").asString(""),
        json.path("outcome").asString(""),
        json.path("current_wave").asInt(0),
        json.path("wave_count").asInt(0),
        json.path("waiting_for").path("message").asString(""),
        Counts.of(json.path("counts")),
        json.path("waves").valueStream().map(Wave::of).toList(),
        response);
  }

  public boolean hasEnded() {
    return state.equals("ended");
  }

  /// Returns whether every device runs the release.
  public boolean hasSucceeded() {
    return outcome.equals("upgraded");
  }

  /// Returns the outcome if it has ended, else the state.
  public String stateOrOutcome() {
    return hasEnded() ? outcome : state;
  }

  /// Counts of devices.
  ///
  /// @param finished ended with any outcome, or skipped
  /// @param prepared waiting for their window after their preparation
  public record Counts(int devices, int finished, int inProgress, int prepared, int succeeded, int failed) {
    static Counts of(JsonNode json) {
      int succeeded = json.path("succeeded").asInt(0);
      int failed = json.path("failed").asInt(0);
      return new Counts(
          json.path("devices").asInt(0),
          succeeded + failed + json.path("other").asInt(0) + json.path("skipped").asInt(0),
          json.path("in_work").asInt(0),
          json.path("prepared").asInt(0),
          succeeded,
          failed);
    }

    /// Returns how many have started and not ended.
    public int started() {
      return inProgress + prepared;
    }

    /// Formats the counts that are not zero.
    public String summary() {
      return "%d/%d done".formatted(finished, devices)
          + (inProgress > 0 ? ", %d running".formatted(inProgress) : "")
          + (prepared > 0 ? ", %d prepared".formatted(prepared) : "")
          + (failed > 0 ? ", %d failed".formatted(failed) : "");
    }
  }

  /// One wave.
  ///
  /// @param state `pending`, `running`, `soaking`, `completed`
  public record Wave(int number, String title, String state, Counts counts) {
    static Wave of(JsonNode json) {
      return new Wave(
          json.path("number").asInt(0),
          json.path("title").asString(""),
          json.path("state").asString(""),
          Counts.of(json.path("counts")));
    }
  }
}
