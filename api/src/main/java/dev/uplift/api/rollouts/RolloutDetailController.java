package dev.uplift.api.rollouts;

import dev.uplift.api.call.Call;
import dev.uplift.api.call.Ids;
import dev.uplift.api.call.Listing;
import dev.uplift.api.call.Takes;
import dev.uplift.api.filter.Filters;
import dev.uplift.api.rollouts.RolloutView.WaveView;
import dev.uplift.api.security.Role;
import dev.uplift.api.settings.ForApi;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.RolloutPlan;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.Verdict;
import dev.uplift.store.RolloutCounts;
import dev.uplift.store.RolloutDecisions;
import dev.uplift.store.Rollouts;
import dev.uplift.store.TargetFilter;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.security.annotation.Secured;
import java.util.Optional;
import java.util.OptionalInt;

/// Shows what there is of a rollout: waves, devices, failures, decisions, and who takes no part.
@ForApi
@Controller("/v1/tenants/{tenant}/rollouts/{rollout}")
@Secured(Role.VIEWER)
final class RolloutDetailController {
  private static final int EXAMPLES = 5;

  /// A wave of a plan may become many: one for each value of a label.
  private static final int MOST_WAVES = RolloutPlan.MOST_WAVES * 1000;

  private final Creating creating;
  private final Rollouts rollouts;
  private final RolloutCounts counts;
  private final RolloutDecisions decisions;
  private final RolloutViews views;
  private final Filters filters;

  RolloutDetailController(
      Creating creating,
      Rollouts rollouts,
      RolloutCounts counts,
      RolloutDecisions decisions,
      RolloutViews views,
      Filters filters) {
    this.creating = creating;
    this.rollouts = rollouts;
    this.counts = counts;
    this.decisions = decisions;
    this.views = views;
    this.filters = filters;
  }

  @Get("/waves")
  Listing<WaveView> waves(Call call, String rollout) {
    RolloutId id = Ids.rollout(call, rollout);
    return new Listing<>(views.waves(creating.find(id)), Optional.empty());
  }

  @Get("/devices")
  @Takes({"wave", "state", "outcome", Filters.PARAMETER, "cursor", "limit"})
  Listing<TargetView> devices(Call call, String rollout) {
    RolloutId id = found(call, rollout);
    TargetFilter filter =
        new TargetFilter(
            call.number("wave", 1, MOST_WAVES).map(OptionalInt::of).orElse(OptionalInt.empty()),
            call.word("state", TargetState.values()),
            call.word("outcome", Verdict.values()));
    return Listing.of(filters.targets(call, page -> counts.list(id, filter, page)), TargetView::of);
  }

  @Get("/failures")
  Listing<TargetView.FailureView> failures(Call call, String rollout) {
    return new Listing<>(
        counts.failures(found(call, rollout), EXAMPLES).stream()
            .map(TargetView.FailureView::of)
            .toList(),
        Optional.empty());
  }

  @Get("/decisions")
  @Takes({"cursor", "limit"})
  Listing<DecisionView> decisions(Call call, String rollout) {
    return Listing.of(decisions.list(found(call, rollout), call.page()), DecisionView::of);
  }

  @Get("/left-out")
  @Takes({"cursor", "limit"})
  Listing<PreviewView.LeftOutView> leftOut(Call call, String rollout) {
    return Listing.of(
        rollouts.leftOut(found(call, rollout), call.page()), PreviewView.LeftOutView::of);
  }

  private RolloutId found(Call call, String rollout) {
    return creating.find(Ids.rollout(call, rollout)).id();
  }
}
