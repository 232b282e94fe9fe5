package dev.uplift.api.rollouts;

import dev.uplift.api.request.Etag;
import dev.uplift.api.request.IdempotencyKey;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.request.ResponseStatuses;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.OperatorAction;
import dev.uplift.services.rollout.RolloutJson;
import dev.uplift.store.rollout.RolloutRow;
import dev.uplift.workflows.rollout.RolloutAction;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Put;
import io.micronaut.security.annotation.Secured;
import java.util.List;
import java.util.Optional;

/// Changes thresholds, limits and retries of a running rollout. Absent fields get their defaults; the plan of the
/// rollout shows what is in force.
@RequiresApiRole
@Controller("/v1/tenants/{tenant}/rollouts/{rollout}/rules")
@Secured(Roles.OPERATOR)
final class RolloutRulesController {
  private final RolloutService service;
  private final RolloutActions actions;
  private final RolloutViews views;

  RolloutRulesController(RolloutService service, RolloutActions actions, RolloutViews views) {
    this.service = service;
    this.actions = actions;
    this.views = views;
  }

  /// Changes the rules of a running rollout.
  ///
  /// Limits, thresholds and retries; absent ones return to their defaults. Applies from the next device that is
  /// started.
  @Put
  @ResponseStatuses({409, 412})
  HttpResponse<RolloutView> putRolloutRules(
      RequestContext requestContext, RolloutId id, IdempotencyKey key, @Body RolloutRulesRequest request) {
    var _ = service.find(id);
    RolloutAction action =
        new RolloutAction(
            key.value(),
            OperatorAction.CHANGE_RULES,
            requestContext.caller().name(),
            "",
            Optional.empty(),
            List.of(),
            List.of(),
            Optional.of(RolloutJson.write(request.rules())));
    String _ = actions.execute(requestContext, id, action);
    RolloutRow now = service.find(id);
    return HttpResponse.ok(views.full(now)).header(HttpHeaders.ETAG, Etag.of(now.revision()));
  }
}
