package dev.uplift.fleet.rollout;

import dev.uplift.fleet.rollout.Decision.Abort;
import dev.uplift.fleet.rollout.Decision.Pause;
import dev.uplift.fleet.rollout.Decision.RollBackWave;
import java.util.Map;
import java.util.Optional;

/// Whether what came of devices lets a rollout go on.
final class Judgement {
  private final Thresholds rules;
  private final Judged found;

  Judgement(Thresholds rules, Judged found) {
    this.rules = rules;
    this.found = found;
  }

  /// What to do because too much has failed; empty if it has not.
  Optional<Decision> onFailures() {
    return tooMuch().map(this::react);
  }

  /// What to do because too little has succeeded when a wave is over; empty if enough has.
  Optional<Decision> onSuccesses(String wave) {
    int judged = found.succeeded() + found.failed();
    boolean enough = found.succeeded() * 100L >= (long) rules.successPercent() * judged;
    return enough
        ? Optional.empty()
        : Optional.of(
            react(
                "%s is over and %d of %s succeeded (%s); to go on it takes %d %%"
                    .formatted(
                        wave,
                        found.succeeded(),
                        Words.devices(judged),
                        Words.percent(found.succeeded(), judged),
                        rules.successPercent())));
  }

  private Optional<String> tooMuch() {
    return ofOneKind().or(this::inAll).or(this::inShare).or(this::inARow);
  }

  private Optional<String> ofOneKind() {
    return rules.byOutcome().entrySet().stream()
        .filter(limit -> found.of(limit.getKey()) >= limit.getValue())
        .map(this::ofKind)
        .findFirst();
  }

  private String ofKind(Map.Entry<Verdict, Integer> limit) {
    return "%s %s; it stops at %d"
        .formatted(Words.devicesAre(found.of(limit.getKey())), limit.getKey(), limit.getValue());
  }

  private Optional<String> inAll() {
    return rules
        .failures()
        .filter(most -> found.failed() >= most)
        .map(most ->
            "%s failed (%s); it stops at %d"
                .formatted(Words.devices(found.failed()), found.failures(), most));
  }

  private Optional<String> inShare() {
    int judged = found.succeeded() + found.failed();
    return rules
        .failurePercent()
        .filter(most ->
            judged >= rules.sample()
                && found.failed() > 0
                && found.failed() * 100L >= (long) most * judged)
        .map(most ->
            "%d of %s failed (%s: %s); it stops at %d %% of at least %d"
                .formatted(
                    found.failed(),
                    Words.devices(judged),
                    Words.percent(found.failed(), judged),
                    found.failures(),
                    most,
                    rules.sample()));
  }

  private Optional<String> inARow() {
    return rules
        .inARow()
        .filter(most -> found.failedInARow() >= most)
        .map(most ->
            "the last %s failed; it stops at %d in a row"
                .formatted(Words.devices(found.failedInARow()), most));
  }

  private Decision react(String why) {
    return switch (rules.action()) {
      case PAUSE -> new Pause(why);
      case ABORT -> new Abort(why);
      case ROLL_BACK_WAVE -> new RollBackWave(why);
    };
  }
}
