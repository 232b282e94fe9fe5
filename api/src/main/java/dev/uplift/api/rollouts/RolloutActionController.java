package dev.uplift.api.rollouts;

import dev.uplift.api.json.JsonBody;
import dev.uplift.api.request.Etag;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.OperatorAction;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.rollout.RolloutRow;
import dev.uplift.workflows.rollout.RolloutAction;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.security.annotation.Secured;
import io.micronaut.serde.annotation.Serdeable;

/// Tells rollouts what people want. One that does not do it says why, and what is possible: 409.
@RequiresApiRole
@Controller("/v1/tenants/{tenant}/rollouts/{rollout}")
@Secured(Roles.OPERATOR)
final class RolloutActionController {
  private final RolloutService service;
  private final RolloutActions actions;

  RolloutActionController(RolloutService service, RolloutActions actions) {
    this.service = service;
    this.actions = actions;
  }

  /// What the rollout answered.
  ///
  /// @param message a sentence: what it did
  @Serdeable
  record RolloutActionResponse(String id, String message) {}

  /// A draft begins; a planned one does not wait for its time.
  @Post("/start")
  RolloutActionResponse start(RequestContext requestContext, RolloutId id, HttpRequest<?> request) {
    RolloutRow row = service.find(id);
    if (row.isFrozen()) {
      return execute(
          requestContext,
          id,
          RolloutActionReader.of(requestContext, request).plain(OperatorAction.START));
    }
    JsonBody.ofOrEmpty(request).throwIfInvalid();
    Precondition precondition = Etag.precondition(requestContext);
    RolloutController.requireRevision(precondition, row);
    if (requestContext.isValidateOnly()) {
      return new RolloutActionResponse(
          id.name(), "would start with %d devices".formatted(service.countDraftDevices(row)));
    }
    RolloutRow started = service.startDraft(requestContext, id, precondition);
    return new RolloutActionResponse(id.name(), "the rollout is " + started.state());
  }

  @Post("/pause")
  RolloutActionResponse pause(RequestContext requestContext, RolloutId id, HttpRequest<?> request) {
    return execute(
        requestContext,
        id,
        RolloutActionReader.of(requestContext, request).plain(OperatorAction.PAUSE));
  }

  @Post("/resume")
  RolloutActionResponse resume(
      RequestContext requestContext, RolloutId id, HttpRequest<?> request) {
    return execute(
        requestContext,
        id,
        RolloutActionReader.of(requestContext, request).plain(OperatorAction.RESUME));
  }

  @Post("/abort")
  RolloutActionResponse abort(RequestContext requestContext, RolloutId id, HttpRequest<?> request) {
    return execute(requestContext, id, RolloutActionReader.of(requestContext, request).abort());
  }

  @Post("/approve")
  RolloutActionResponse approve(
      RequestContext requestContext, RolloutId id, HttpRequest<?> request) {
    return execute(
        requestContext,
        id,
        RolloutActionReader.of(requestContext, request).plain(OperatorAction.APPROVE));
  }

  @Post("/deny")
  RolloutActionResponse deny(RequestContext requestContext, RolloutId id, HttpRequest<?> request) {
    return execute(
        requestContext,
        id,
        RolloutActionReader.of(requestContext, request).plain(OperatorAction.DENY));
  }

  @Post("/next-wave")
  RolloutActionResponse nextWave(
      RequestContext requestContext, RolloutId id, HttpRequest<?> request) {
    return execute(
        requestContext,
        id,
        RolloutActionReader.of(requestContext, request).plain(OperatorAction.NEXT_WAVE));
  }

  @Post("/skip-remaining")
  RolloutActionResponse skipRemaining(
      RequestContext requestContext, RolloutId id, HttpRequest<?> request) {
    return execute(
        requestContext,
        id,
        RolloutActionReader.of(requestContext, request).ofWave(OperatorAction.SKIP_REMAINING));
  }

  @Post("/retry-failed")
  RolloutActionResponse retryFailed(
      RequestContext requestContext, RolloutId id, HttpRequest<?> request) {
    return execute(
        requestContext, id, RolloutActionReader.of(requestContext, request).retryFailed());
  }

  @Post("/roll-back-wave")
  RolloutActionResponse rollBackWave(
      RequestContext requestContext, RolloutId id, HttpRequest<?> request) {
    return execute(
        requestContext,
        id,
        RolloutActionReader.of(requestContext, request).ofWave(OperatorAction.ROLL_BACK_WAVE));
  }

  @Post("/devices")
  RolloutActionResponse addDevice(
      RequestContext requestContext, RolloutId id, HttpRequest<?> request) {
    return execute(requestContext, id, RolloutActionReader.of(requestContext, request).addDevice());
  }

  @Post("/devices/{device}/skip")
  RolloutActionResponse skipDevice(
      RequestContext requestContext, RolloutId id, DeviceId deviceId, HttpRequest<?> request) {
    RolloutActionReader reader = RolloutActionReader.of(requestContext, request);
    return execute(requestContext, id, reader.skipDevice(deviceId));
  }

  private RolloutActionResponse execute(
      RequestContext requestContext, RolloutId id, RolloutAction action) {
    return new RolloutActionResponse(id.name(), actions.execute(requestContext, id, action));
  }
}
