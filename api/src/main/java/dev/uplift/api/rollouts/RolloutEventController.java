package dev.uplift.api.rollouts;

import dev.uplift.api.call.Call;
import dev.uplift.api.call.Ids;
import dev.uplift.api.events.LastEvent;
import dev.uplift.api.events.Stream;
import dev.uplift.api.security.Role;
import dev.uplift.api.settings.ForApi;
import dev.uplift.fleet.RolloutId;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.security.annotation.Secured;
import java.util.Optional;

/// Tells what happens to a rollout, as it happens.
@ForApi
@Controller("/v1/tenants/{tenant}/rollouts/{rollout}/events")
@Secured(Role.VIEWER)
final class RolloutEventController {
  private final Creating creating;
  private final RolloutLooks looks;

  RolloutEventController(Creating creating, RolloutLooks looks) {
    this.creating = creating;
    this.looks = looks;
  }

  @Get
  @Produces(MediaType.TEXT_EVENT_STREAM)
  HttpResponse<?> follow(Call call, String rollout) {
    RolloutId id = creating.find(Ids.rollout(call, rollout)).id();
    Optional<LastEvent> seen = LastEvent.of(call);
    return Stream.of(call, () -> looks.teller(id, seen));
  }
}
