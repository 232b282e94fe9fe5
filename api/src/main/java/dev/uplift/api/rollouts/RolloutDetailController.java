package dev.uplift.api.rollouts;

import dev.uplift.api.filter.Filters;
import dev.uplift.api.request.PageResponse;
import dev.uplift.api.request.QueryParameters;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.rollouts.RolloutView.WaveView;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.store.rollout.RolloutDecisionRepository;
import dev.uplift.store.rollout.RolloutExclusionRepository;
import dev.uplift.store.rollout.RolloutStatistics;
import dev.uplift.store.rollout.TargetFilter;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.security.annotation.Secured;
import java.util.Optional;
import java.util.OptionalInt;

/// Shows the waves, devices, failures, decisions and excluded devices of a rollout.
@RequiresApiRole
@Controller("/v1/tenants/{tenant}/rollouts/{rollout}")
@Secured(Roles.VIEWER)
final class RolloutDetailController {
  private static final int EXAMPLE_DEVICES = 5;

  /// One wave of a plan may become many: one for each value of a label.
  private static final int MAX_WAVES = RolloutPlan.MAX_WAVES * 1000;

  private final RolloutService service;
  private final RolloutExclusionRepository exclusions;
  private final RolloutStatistics counts;
  private final RolloutDecisionRepository decisions;
  private final RolloutViews views;
  private final Filters filters;

  RolloutDetailController(
      RolloutService service,
      RolloutExclusionRepository exclusions,
      RolloutStatistics counts,
      RolloutDecisionRepository decisions,
      RolloutViews views,
      Filters filters) {
    this.service = service;
    this.exclusions = exclusions;
    this.counts = counts;
    this.decisions = decisions;
    this.views = views;
    this.filters = filters;
  }

  /// Lists the waves of a rollout.
  @Get("/waves")
  PageResponse<WaveView> listWaves(RequestContext requestContext, RolloutId id) {
    return new PageResponse<>(views.waves(service.find(id)), Optional.empty());
  }

  /// Lists the devices of a rollout, by name.
  @Get("/devices")
  @QueryParameters({"wave", "state", "outcome", Filters.PARAMETER, "cursor", "limit"})
  PageResponse<TargetView> listRolloutDevices(RequestContext requestContext, RolloutId id) {
    requireExists(id);
    TargetFilter filter =
        new TargetFilter(
            requestContext.queryInt("wave", 1, MAX_WAVES).map(OptionalInt::of).orElse(OptionalInt.empty()),
            requestContext.queryEnum("state", TargetState.values()),
            requestContext.queryEnum("outcome", TargetResult.values()));
    return PageResponse.of(filters.targets(requestContext, page -> counts.list(id, filter, page)), TargetView::of);
  }

  /// Lists the first errors of a rollout, the most frequent first.
  @Get("/failures")
  PageResponse<TargetView.FailureGroupView> listFailures(RequestContext requestContext, RolloutId id) {
    requireExists(id);
    return new PageResponse<>(
        counts.failureGroups(id, EXAMPLE_DEVICES).stream().map(TargetView.FailureGroupView::of).toList(),
        Optional.empty());
  }

  /// Lists the decisions of a rollout, newest first.
  @Get("/decisions")
  @QueryParameters({"cursor", "limit"})
  PageResponse<DecisionView> listDecisions(RequestContext requestContext, RolloutId id) {
    requireExists(id);
    return PageResponse.of(decisions.list(id, requestContext.pageRequest()), DecisionView::of);
  }

  /// Lists the devices that are selected but excluded.
  @Get("/excluded")
  @QueryParameters({"cursor", "limit"})
  PageResponse<RolloutPreviewView.ExcludedDeviceView> listExcludedDevices(RequestContext requestContext, RolloutId id) {
    requireExists(id);
    return PageResponse.of(
        exclusions.list(id, requestContext.pageRequest()), RolloutPreviewView.ExcludedDeviceView::of);
  }

  private void requireExists(RolloutId id) {
    var _ = service.find(id);
  }
}
