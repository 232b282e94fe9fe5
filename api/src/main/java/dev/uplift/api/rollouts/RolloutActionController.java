package dev.uplift.api.rollouts;

import static java.util.Objects.requireNonNullElse;

import dev.uplift.api.request.Etag;
import dev.uplift.api.request.IdempotencyKey;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.request.ResponseStatuses;
import dev.uplift.api.rollouts.RolloutActionRequest.AbortRolloutRequest;
import dev.uplift.api.rollouts.RolloutActionRequest.ApproveWaveRequest;
import dev.uplift.api.rollouts.RolloutActionRequest.DevicesActionRequest;
import dev.uplift.api.rollouts.RolloutActionRequest.RetryFailedRequest;
import dev.uplift.api.rollouts.RolloutActionRequest.WaveActionRequest;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.OperatorAction;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.rollout.RolloutRow;
import dev.uplift.workflows.rollout.RolloutAction;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.security.annotation.Secured;
import io.micronaut.serde.annotation.Serdeable;
import org.jspecify.annotations.Nullable;

/// Actions of operators on rollouts. A rejected one answers 409 and says why, and what is possible.
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

  /// The answer of the rollout.
  ///
  /// @param message a sentence: what it did
  @Serdeable
  record RolloutActionResponse(String id, String message) {}

  /// Starts a draft, or a planned rollout before its time.
  ///
  /// Its devices are those that the selection matches now.
  @Post("/start")
  @ResponseStatuses({409, 412})
  RolloutActionResponse startRollout(
      RequestContext requestContext, RolloutId id, IdempotencyKey key, @Nullable @Body RolloutActionRequest request) {
    RolloutRow row = service.find(id);
    return row.isFrozen()
        ? plain(requestContext, id, key, request, OperatorAction.START)
        : startDraft(requestContext, row);
  }

  private RolloutActionResponse startDraft(RequestContext requestContext, RolloutRow row) {
    Precondition precondition = Etag.precondition(requestContext);
    RolloutController.requireRevision(precondition, row);
    if (requestContext.isValidateOnly()) {
      return new RolloutActionResponse(
          row.id().name(), "would start with %d devices".formatted(service.countDraftDevices(row)));
    }
    RolloutRow started = service.startDraft(requestContext, row.id(), precondition);
    return new RolloutActionResponse(row.id().name(), "the rollout is " + started.state());
  }

  /// Pauses a rollout: it starts nothing more.
  ///
  /// Running upgrades continue to their end.
  @Post("/pause")
  @ResponseStatuses({409, 412})
  RolloutActionResponse pauseRollout(
      RequestContext requestContext, RolloutId id, IdempotencyKey key, @Nullable @Body RolloutActionRequest request) {
    return plain(requestContext, id, key, request, OperatorAction.PAUSE);
  }

  /// Resumes a rollout.
  ///
  /// Earlier failures no longer count.
  @Post("/resume")
  @ResponseStatuses({409, 412})
  RolloutActionResponse resumeRollout(
      RequestContext requestContext, RolloutId id, IdempotencyKey key, @Nullable @Body RolloutActionRequest request) {
    return plain(requestContext, id, key, request, OperatorAction.RESUME);
  }

  /// Approves the wave that waits for approval.
  ///
  /// By another person than those who created, changed or started the rollout, else 403. It names the revision that was
  /// looked at; if the rollout is at another one by now, the response is 409.
  @Post("/approve")
  @ResponseStatuses({409, 412})
  RolloutActionResponse approveWave(
      RequestContext requestContext, RolloutId id, IdempotencyKey key, @Body ApproveWaveRequest request) {
    return execute(requestContext, id, request.action(key, requestContext));
  }

  /// Denies the wave that waits for approval; the rollout is paused.
  ///
  /// By another person than those who created, changed or started the rollout, else 403.
  @Post("/deny")
  @ResponseStatuses({409, 412})
  RolloutActionResponse denyWave(
      RequestContext requestContext, RolloutId id, IdempotencyKey key, @Nullable @Body RolloutActionRequest request) {
    return plain(requestContext, id, key, request, OperatorAction.DENY);
  }

  /// Begins the next wave now.
  ///
  /// Skips soak and time; never an approval, never failures.
  @Post("/next-wave")
  @ResponseStatuses({409, 412})
  RolloutActionResponse nextWave(
      RequestContext requestContext, RolloutId id, IdempotencyKey key, @Nullable @Body RolloutActionRequest request) {
    return plain(requestContext, id, key, request, OperatorAction.NEXT_WAVE);
  }

  /// Aborts a rollout.
  ///
  /// Running upgrades continue to their end; with `abort_running` they are aborted too.
  @Post("/abort")
  @ResponseStatuses({409, 412})
  RolloutActionResponse abortRollout(
      RequestContext requestContext, RolloutId id, IdempotencyKey key, @Nullable @Body AbortRolloutRequest request) {
    AbortRolloutRequest abort = requireNonNullElse(request, AbortRolloutRequest.EMPTY);
    return execute(requestContext, id, abort.action(key, requestContext));
  }

  /// Completes a wave.
  ///
  /// Its devices that have not begun are skipped.
  @Post("/skip-remaining")
  @ResponseStatuses({409, 412})
  RolloutActionResponse skipRemaining(
      RequestContext requestContext, RolloutId id, IdempotencyKey key, @Nullable @Body WaveActionRequest request) {
    return ofWave(requestContext, id, key, request, OperatorAction.SKIP_REMAINING);
  }

  /// Rolls a wave back.
  ///
  /// Its devices that run the release revert to the version from before, no more of them at once than may start, each
  /// in its window; running ones follow when they have ended. Then the rollout is paused. Repeated, it includes those
  /// that did not revert.
  @Post("/roll-back-wave")
  @ResponseStatuses({409, 412})
  RolloutActionResponse rollBackWave(
      RequestContext requestContext, RolloutId id, IdempotencyKey key, @Nullable @Body WaveActionRequest request) {
    return ofWave(requestContext, id, key, request, OperatorAction.ROLL_BACK_WAVE);
  }

  /// Retries the failed devices.
  ///
  /// All, or those with certain first errors.
  @Post("/retry-failed")
  @ResponseStatuses({409, 412})
  RolloutActionResponse retryFailed(
      RequestContext requestContext, RolloutId id, IdempotencyKey key, @Nullable @Body RetryFailedRequest request) {
    RetryFailedRequest retry = requireNonNullElse(request, RetryFailedRequest.EMPTY);
    return execute(requestContext, id, retry.action(key, requestContext));
  }

  /// Adds devices to a rollout.
  ///
  /// They come last in the last wave; those that were skipped are taken in again. What cannot be added is named in the
  /// response, and leaves out no other.
  @Post("/devices")
  @ResponseStatuses({409, 412})
  RolloutActionResponse addRolloutDevices(
      RequestContext requestContext, RolloutId id, IdempotencyKey key, @Body DevicesActionRequest request) {
    return execute(requestContext, id, request.action(OperatorAction.ADD_DEVICE, key, requestContext));
  }

  /// Skips devices that have not begun.
  ///
  /// The response names the devices that have begun; the others are skipped all the same.
  @Post("/skip-devices")
  @ResponseStatuses({409, 412})
  RolloutActionResponse skipRolloutDevices(
      RequestContext requestContext, RolloutId id, IdempotencyKey key, @Body DevicesActionRequest request) {
    return execute(requestContext, id, request.action(OperatorAction.SKIP_DEVICE, key, requestContext));
  }

  private RolloutActionResponse plain(
      RequestContext requestContext,
      RolloutId id,
      IdempotencyKey key,
      @Nullable RolloutActionRequest request,
      OperatorAction action) {
    RolloutActionRequest given = requireNonNullElse(request, RolloutActionRequest.EMPTY);
    return execute(requestContext, id, given.action(action, key, requestContext));
  }

  private RolloutActionResponse ofWave(
      RequestContext requestContext,
      RolloutId id,
      IdempotencyKey key,
      @Nullable WaveActionRequest request,
      OperatorAction action) {
    WaveActionRequest given = requireNonNullElse(request, WaveActionRequest.EMPTY);
    return execute(requestContext, id, given.action(action, key, requestContext));
  }

  private RolloutActionResponse execute(RequestContext requestContext, RolloutId id, RolloutAction action) {
    return new RolloutActionResponse(id.name(), actions.execute(requestContext, id, action));
  }
}
