package dev.uplift.api.rollouts;

import dev.uplift.api.call.Call;
import dev.uplift.api.call.Etag;
import dev.uplift.api.call.Ids;
import dev.uplift.api.json.Body;
import dev.uplift.api.security.Role;
import dev.uplift.api.settings.ForApi;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.Steer;
import dev.uplift.store.Expected;
import dev.uplift.store.RolloutRow;
import dev.uplift.workflows.rollout.SteerWish;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.security.annotation.Secured;
import io.micronaut.serde.annotation.Serdeable;

/// Tells rollouts what people want. One that does not do it says why, and what is possible: 409.
@ForApi
@Controller("/v1/tenants/{tenant}/rollouts/{rollout}")
@Secured(Role.OPERATOR)
final class RolloutSteeringController {
  private final Creating creating;
  private final RolloutHelm helm;

  RolloutSteeringController(Creating creating, RolloutHelm helm) {
    this.creating = creating;
    this.helm = helm;
  }

  /// What the rollout answered.
  ///
  /// @param said a sentence: what it did
  @Serdeable
  record Said(String id, String said) {}

  /// A draft begins; a planned one does not wait for its time.
  @Post("/start")
  Said start(Call call, String rollout, HttpRequest<?> request) {
    RolloutId id = Ids.rollout(call, rollout);
    RolloutRow row = creating.find(id);
    if (row.isFrozen()) {
      return tell(call, rollout, SteerReader.of(call, request).plain(Steer.START));
    }
    Body.orEmpty(request).done();
    Expected expected = Etag.expected(call);
    RolloutController.expected(expected, row);
    if (call.validates()) {
      return new Said(
          id.name(), "would start with %d devices".formatted(creating.devicesOfDraft(row)));
    }
    RolloutRow started = creating.launch(call, id, expected);
    return new Said(id.name(), "the rollout is " + started.state());
  }

  @Post("/pause")
  Said pause(Call call, String rollout, HttpRequest<?> request) {
    return tell(call, rollout, SteerReader.of(call, request).plain(Steer.PAUSE));
  }

  @Post("/resume")
  Said resume(Call call, String rollout, HttpRequest<?> request) {
    return tell(call, rollout, SteerReader.of(call, request).plain(Steer.RESUME));
  }

  @Post("/abort")
  Said abort(Call call, String rollout, HttpRequest<?> request) {
    return tell(call, rollout, SteerReader.of(call, request).abort());
  }

  @Post("/approve")
  Said approve(Call call, String rollout, HttpRequest<?> request) {
    return tell(call, rollout, SteerReader.of(call, request).plain(Steer.APPROVE));
  }

  @Post("/deny")
  Said deny(Call call, String rollout, HttpRequest<?> request) {
    return tell(call, rollout, SteerReader.of(call, request).plain(Steer.DENY));
  }

  @Post("/next-wave")
  Said nextWave(Call call, String rollout, HttpRequest<?> request) {
    return tell(call, rollout, SteerReader.of(call, request).plain(Steer.NEXT_WAVE));
  }

  @Post("/mark-done")
  Said markDone(Call call, String rollout, HttpRequest<?> request) {
    return tell(call, rollout, SteerReader.of(call, request).ofWave(Steer.MARK_DONE));
  }

  @Post("/retry-failed")
  Said retryFailed(Call call, String rollout, HttpRequest<?> request) {
    return tell(call, rollout, SteerReader.of(call, request).retryFailed());
  }

  @Post("/roll-back")
  Said rollBack(Call call, String rollout, HttpRequest<?> request) {
    return tell(call, rollout, SteerReader.of(call, request).ofWave(Steer.ROLL_BACK_WAVE));
  }

  @Post("/devices")
  Said add(Call call, String rollout, HttpRequest<?> request) {
    return tell(call, rollout, SteerReader.of(call, request).add());
  }

  @Post("/devices/{device}/skip")
  Said skip(Call call, String rollout, String device, HttpRequest<?> request) {
    SteerReader reader = SteerReader.of(call, request);
    return tell(call, rollout, reader.skip(Ids.device(call, device)));
  }

  private Said tell(Call call, String rollout, SteerWish wish) {
    RolloutId id = Ids.rollout(call, rollout);
    return new Said(id.name(), helm.tell(call, id, wish));
  }
}
