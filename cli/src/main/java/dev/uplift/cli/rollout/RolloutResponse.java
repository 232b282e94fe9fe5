package dev.uplift.cli.rollout;

import java.util.List;
import tools.jackson.databind.JsonNode;

/// A rollout, as far as people are shown it.
///
/// @param waitReason what it waits for, in a sentence; empty if it works
/// @param json all that the server said
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

  public static RolloutResponse of(JsonNode json) {
    return new RolloutResponse(
        json.path("id").asString(""),
        json.path("title").asString(""),
        json.path("package").asString("") + " " + json.path("version").asString(""),
        json.path("state").asString(""),
        json.path("outcome").asString(""),
        json.path("wave").asInt(0),
        json.path("waves").asInt(0),
        json.path("waiting_for").path("sentence").asString(""),
        Counts.of(json.path("counts")),
        json.path("wave_list").valueStream().map(Wave::of).toList(),
        json);
  }

  public boolean hasEnded() {
    return state.equals("ended");
  }

  /// Whether every device runs the release.
  public boolean hasSucceeded() {
    return outcome.equals("upgraded");
  }

  /// The state, or how it ended.
  public String stateOrOutcome() {
    return hasEnded() ? outcome : state;
  }

  /// How many devices are where.
  ///
  /// @param finished ended, in whatever way, or skipped
  /// @param prepared and waiting for a window
  public record Counts(
      int devices, int finished, int inProgress, int prepared, int succeeded, int failed) {
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

    /// So many have begun and not ended.
    public int started() {
      return inProgress + prepared;
    }

    /// In words, without what there is none of.
    public String summary() {
      return "%d/%d done".formatted(finished, devices)
          + (inProgress > 0 ? ", %d in work".formatted(inProgress) : "")
          + (prepared > 0 ? ", %d prepared".formatted(prepared) : "")
          + (failed > 0 ? ", %d failed".formatted(failed) : "");
    }
  }

  /// A wave of it.
  ///
  /// @param state `pending`, `running`, `soaking`, `done`
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
