package dev.uplift.cli.rollout;

import java.util.List;
import tools.jackson.databind.JsonNode;

/// A rollout, as far as people are shown it.
///
/// @param waiting what it waits for, in a sentence; empty if it works
/// @param whole all that the server said
public record RolloutView(
    String id,
    String title,
    String release,
    String state,
    String outcome,
    int wave,
    int waveCount,
    String waiting,
    Counts counts,
    List<WaveView> waves,
    JsonNode whole) {

  public static RolloutView of(JsonNode json) {
    return new RolloutView(
        json.path("id").asString(""),
        json.path("title").asString(""),
        json.path("package").asString("") + " " + json.path("version").asString(""),
        json.path("state").asString(""),
        json.path("outcome").asString(""),
        json.path("wave").asInt(0),
        json.path("waves").asInt(0),
        json.path("waiting_for").path("sentence").asString(""),
        Counts.of(json.path("counts")),
        json.path("wave_list").valueStream().map(WaveView::of).toList(),
        json);
  }

  public boolean hasEnded() {
    return state.equals("ended");
  }

  /// Whether every device runs the release.
  public boolean isThere() {
    return outcome.equals("upgraded");
  }

  /// The state, or how it ended.
  public String stands() {
    return hasEnded() ? outcome : state;
  }

  /// How many devices are where.
  ///
  /// @param done ended, in whatever way, or skipped
  /// @param prepared and waiting for a window
  public record Counts(int devices, int done, int inWork, int prepared, int succeeded, int failed) {
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
    public int begun() {
      return inWork + prepared;
    }

    /// In words, without what there is none of.
    public String inWords() {
      return "%d/%d done".formatted(done, devices)
          + (inWork > 0 ? ", %d in work".formatted(inWork) : "")
          + (prepared > 0 ? ", %d prepared".formatted(prepared) : "")
          + (failed > 0 ? ", %d failed".formatted(failed) : "");
    }
  }

  /// A wave of it.
  ///
  /// @param state `pending`, `running`, `soaking`, `done`
  public record WaveView(int number, String title, String state, Counts counts) {
    static WaveView of(JsonNode json) {
      return new WaveView(
          json.path("number").asInt(0),
          json.path("title").asString(""),
          json.path("state").asString(""),
          Counts.of(json.path("counts")));
    }
  }
}
