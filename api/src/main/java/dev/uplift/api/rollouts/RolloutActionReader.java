package dev.uplift.api.rollouts;

import dev.uplift.api.json.JsonBody;
import dev.uplift.api.json.JsonField;
import dev.uplift.api.json.ValueReader;
import dev.uplift.api.json.ValueReaders;
import dev.uplift.api.request.IdempotencyKey;
import dev.uplift.api.request.RequestContext;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.rollout.OperatorAction;
import dev.uplift.workflows.rollout.RolloutAction;
import io.micronaut.http.HttpRequest;
import java.util.List;
import java.util.Optional;

/// Reads what somebody tells a rollout. Every wish may have a `reason`; the header
/// `Idempotency-Key` makes it safe to repeat.
final class RolloutActionReader {
  private static final int REASON_CHARS = 500;
  private static final int MAX_CODES = 50;
  private static final int CODE_CHARS = 100;
  private static final int MAX_WAVES = 100_000;

  private final RequestContext call;
  private final JsonBody in;
  private final JsonField<String> reason;

  private RolloutActionReader(RequestContext call, HttpRequest<?> request) {
    this.call = call;
    this.in = JsonBody.ofOrEmpty(request);
    this.reason = in.optional("reason", ValueReaders.text(REASON_CHARS));
  }

  static RolloutActionReader of(RequestContext requestContext, HttpRequest<?> request) {
    return new RolloutActionReader(requestContext, request);
  }

  RolloutAction plain(OperatorAction action) {
    in.throwIfInvalid();
    return RolloutAction.of(id(), action, by(), reason.orElse(""));
  }

  RolloutAction abort() {
    JsonField<Boolean> hard = in.optional("abort_running", ValueReaders.BOOLEAN);
    in.throwIfInvalid();
    OperatorAction action =
        hard.orElse(false) ? OperatorAction.ABORT_RUNNING : OperatorAction.ABORT;
    return RolloutAction.of(id(), action, by(), reason.orElse(""));
  }

  RolloutAction ofWave(OperatorAction action) {
    ValueReader<Integer> number = ValueReaders.number(1, MAX_WAVES).then(Math::toIntExact);
    JsonField<Integer> wave = in.optional("wave", number);
    in.throwIfInvalid();
    return action(action, wave.asOptional(), Optional.empty(), List.of());
  }

  RolloutAction retryFailed() {
    JsonField<List<String>> codes =
        in.optional(
            "error_codes", ValueReaders.list(ValueReaders.nonBlankText(CODE_CHARS), 1, MAX_CODES));
    in.throwIfInvalid();
    return action(
        OperatorAction.RETRY_FAILED, Optional.empty(), Optional.empty(), codes.orElse(List.of()));
  }

  RolloutAction addDevice() {
    JsonField<String> device =
        in.required(
            "device", ValueReaders.TEXT.then(name -> new DeviceId(call.tenant(), name).name()));
    in.throwIfInvalid();
    return action(OperatorAction.ADD_DEVICE, Optional.empty(), device.asOptional(), List.of());
  }

  RolloutAction skipDevice(DeviceId device) {
    in.throwIfInvalid();
    return action(
        OperatorAction.SKIP_DEVICE, Optional.empty(), Optional.of(device.name()), List.of());
  }

  private RolloutAction action(
      OperatorAction action, Optional<Integer> wave, Optional<String> device, List<String> codes) {
    return new RolloutAction(
        id(), action, by(), reason.orElse(""), wave, device, codes, Optional.empty());
  }

  private String by() {
    return call.caller().name();
  }

  /// The one that the caller chose, or a new one.
  private String id() {
    return IdempotencyKey.fromHeaderOrNew(call);
  }
}
