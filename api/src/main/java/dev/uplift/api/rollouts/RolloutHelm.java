package dev.uplift.api.rollouts;

import dev.uplift.activities.temporal.RolloutSteering;
import dev.uplift.activities.temporal.Steered;
import dev.uplift.api.call.Call;
import dev.uplift.api.problem.Refusal;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.Steer;
import dev.uplift.store.RolloutRow;
import dev.uplift.workflows.rollout.SteerWish;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;

/// Hands what people want to a rollout, which decides, keeps it and says what it did; and foretells
/// that.
@Singleton
final class RolloutHelm {
  private final Creating creating;
  private final RolloutSteering steering;

  RolloutHelm(Creating creating, RolloutSteering steering) {
    this.creating = creating;
    this.steering = steering;
  }

  /// What it did. Nothing is done where the call only validates.
  String tell(Call call, RolloutId id, SteerWish wish) {
    RolloutRow row = creating.find(id);
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
    return switch (steering.steer(id, wish)) {
      case Steered.Done(String sentence) -> sentence;
      case Steered.Refused(String why) -> throw Refusal.conflict(why);
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
