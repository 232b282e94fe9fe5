package dev.uplift.api.rollouts;

import dev.uplift.activities.temporal.RolloutSteering;
import dev.uplift.activities.temporal.Steered;
import dev.uplift.api.call.Call;
import dev.uplift.api.call.Etag;
import dev.uplift.api.problem.Refusal;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.Steer;
import dev.uplift.store.Expected;
import dev.uplift.store.RolloutDecisions;
import dev.uplift.store.RolloutRow;
import dev.uplift.workflows.rollout.SteerWish;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;

/// Hands what people want to a rollout, which decides, keeps it and says what it did; and foretells
/// that.
@Singleton
final class RolloutHelm {
  private final Creating creating;
  private final RolloutDecisions decisions;
  private final RolloutSteering steering;

  RolloutHelm(Creating creating, RolloutDecisions decisions, RolloutSteering steering) {
    this.creating = creating;
    this.decisions = decisions;
    this.steering = steering;
  }

  /// What it did, also when the same wish was told before. Nothing is done where the call only
  /// validates.
  String tell(Call call, RolloutId id, SteerWish wish) {
    return decisions
        .answered(id, wish.id())
        .map(before -> before.said().sentence())
        .orElseGet(() -> tellNew(call, id, wish));
  }

  private String tellNew(Call call, RolloutId id, SteerWish wish) {
    Expected expected = Etag.expected(call);
    RolloutRow row = RolloutController.expected(expected, creating.find(id));
    if (isJudgement(wish.what()) && row.createdBy().equals(wish.by())) {
      throw Refusal.of(
          HttpStatus.FORBIDDEN,
          "%s made this rollout; another person has to %s it".formatted(wish.by(), wish.what()));
    }
    row.state()
        .refuses(wish.what())
        .ifPresent(why -> {
          throw Refusal.conflict(why);
        });
    if (call.validates()) {
      return wish.what() + " would be done";
    }
    return switch (steering.steer(id, wish.at(expected.version()))) {
      case Steered.Done(String sentence) -> sentence;
      case Steered.Refused(String why) -> {
        // Perhaps because somebody was faster.
        RolloutRow _ = RolloutController.expected(expected, creating.find(id));
        throw Refusal.conflict(why);
      }
      case Steered.Over() -> throw over(id);
    };
  }

  private static boolean isJudgement(Steer what) {
    return what == Steer.APPROVE || what == Steer.DENY;
  }

  private Refusal over(RolloutId id) {
    RolloutRow now = creating.find(id);
    return Refusal.conflict(
        now.outcome()
            .map(outcome -> "the rollout %s has ended: %s".formatted(id.name(), outcome))
            .orElse("the rollout %s is just beginning or ending; try again".formatted(id.name())));
  }
}
