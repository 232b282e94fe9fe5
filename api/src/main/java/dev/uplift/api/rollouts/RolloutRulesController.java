package dev.uplift.api.rollouts;

import dev.uplift.api.json.JsonBody;
import dev.uplift.api.request.Etag;
import dev.uplift.api.request.IdempotencyKey;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.OperatorAction;
import dev.uplift.fleet.rollout.plan.PlanViolation;
import dev.uplift.services.rollout.RolloutJson;
import dev.uplift.services.rollout.RolloutRules;
import dev.uplift.store.rollout.RolloutRow;
import dev.uplift.workflows.rollout.RolloutAction;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Put;
import io.micronaut.security.annotation.Secured;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Changes thresholds, limits and retries of a rollout that runs. What is not said is as usual
/// again; what holds now stands in the plan that is shown.
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

  @Put
  HttpResponse<RolloutView> put(
      RequestContext requestContext, RolloutId id, HttpRequest<?> request) {
    JsonBody in = JsonBody.of(request);
    RolloutRules rules = RolloutRulesReader.read(in);
    RolloutRow row = service.find(id);
    for (PlanViolation planViolation :
        rules.faults(RolloutJson.readSpec(row.plan()).plan(), Instant.now())) {
      in.addErrorIfNew(planViolation.pointer(), planViolation.message());
    }
    in.throwIfInvalid();
    String _ = actions.execute(requestContext, id, action(requestContext, rules));
    RolloutRow now = service.find(id);
    return HttpResponse.ok(views.full(now)).header(HttpHeaders.ETAG, Etag.of(now.revision()));
  }

  private static RolloutAction action(RequestContext requestContext, RolloutRules rules) {
    return new RolloutAction(
        IdempotencyKey.fromHeaderOrNew(requestContext),
        OperatorAction.CHANGE_RULES,
        requestContext.caller().name(),
        "",
        Optional.empty(),
        Optional.empty(),
        List.of(),
        Optional.of(RolloutJson.write(rules)));
  }
}
