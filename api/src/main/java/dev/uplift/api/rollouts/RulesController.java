package dev.uplift.api.rollouts;

import dev.uplift.activities.rollout.RolloutRules;
import dev.uplift.activities.rollout.RolloutTexts;
import dev.uplift.api.call.Call;
import dev.uplift.api.call.Etag;
import dev.uplift.api.call.Ids;
import dev.uplift.api.json.Body;
import dev.uplift.api.security.Role;
import dev.uplift.api.settings.ForApi;
import dev.uplift.api.upgrades.UpgradeId;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.Fault;
import dev.uplift.fleet.rollout.Steer;
import dev.uplift.store.RolloutRow;
import dev.uplift.workflows.rollout.SteerWish;
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
@ForApi
@Controller("/v1/tenants/{tenant}/rollouts/{rollout}/rules")
@Secured(Role.OPERATOR)
final class RulesController {
  private final Creating creating;
  private final RolloutHelm helm;
  private final RolloutViews views;

  RulesController(Creating creating, RolloutHelm helm, RolloutViews views) {
    this.creating = creating;
    this.helm = helm;
    this.views = views;
  }

  @Put
  HttpResponse<RolloutView> put(Call call, String rollout, HttpRequest<?> request) {
    RolloutId id = Ids.rollout(call, rollout);
    Body in = Body.of(request);
    RolloutRules rules = RuleReader.fieldsOf(in);
    RolloutRow row = creating.find(id);
    for (Fault fault : rules.faults(RolloutTexts.wish(row.plan()).plan(), Instant.now())) {
      in.wrongToo(fault.pointer(), fault.detail());
    }
    in.done();
    String _ = helm.tell(call, id, wish(call, rules));
    RolloutRow now = creating.find(id);
    return HttpResponse.ok(views.whole(now)).header(HttpHeaders.ETAG, Etag.of(now.revision()));
  }

  private static SteerWish wish(Call call, RolloutRules rules) {
    return new SteerWish(
        UpgradeId.of(call),
        Steer.CHANGE_RULES,
        call.caller().name(),
        "",
        Optional.empty(),
        Optional.empty(),
        List.of(),
        Optional.of(RolloutTexts.write(rules)));
  }
}
