package dev.uplift.api.rollouts;

import dev.uplift.api.call.Call;
import dev.uplift.api.json.Body;
import dev.uplift.api.json.Field;
import dev.uplift.api.json.Shape;
import dev.uplift.api.json.Shapes;
import dev.uplift.api.upgrades.UpgradeId;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.rollout.Steer;
import dev.uplift.workflows.rollout.SteerWish;
import io.micronaut.http.HttpRequest;
import java.util.List;
import java.util.Optional;

/// Reads what somebody tells a rollout. Every wish may have a `reason`; the header
/// `Idempotency-Key` makes it safe to repeat.
final class SteerReader {
  private static final int REASON_CHARS = 500;
  private static final int MOST_CODES = 50;
  private static final int CODE_CHARS = 100;
  private static final int MOST_WAVES = 100_000;

  private final Call call;
  private final Body in;
  private final Field<String> reason;

  private SteerReader(Call call, HttpRequest<?> request) {
    this.call = call;
    this.in = Body.orEmpty(request);
    this.reason = in.optional("reason", Shapes.text(REASON_CHARS));
  }

  static SteerReader of(Call call, HttpRequest<?> request) {
    return new SteerReader(call, request);
  }

  SteerWish plain(Steer what) {
    in.done();
    return SteerWish.of(id(), what, by(), reason.or(""));
  }

  SteerWish abort() {
    Field<Boolean> hard = in.optional("hard", Shapes.FLAG);
    in.done();
    Steer what = hard.or(false) ? Steer.ABORT_HARD : Steer.ABORT;
    return SteerWish.of(id(), what, by(), reason.or(""));
  }

  SteerWish ofWave(Steer what) {
    Shape<Integer> number = Shapes.number(1, MOST_WAVES).then(Math::toIntExact);
    Field<Integer> wave = in.optional("wave", number);
    in.done();
    return wish(what, wave.find(), Optional.empty(), List.of());
  }

  SteerWish retryFailed() {
    Field<List<String>> codes =
        in.optional("codes", Shapes.list(Shapes.words(CODE_CHARS), 1, MOST_CODES));
    in.done();
    return wish(Steer.RETRY_FAILED, Optional.empty(), Optional.empty(), codes.or(List.of()));
  }

  SteerWish add() {
    Field<String> device =
        in.required("device", Shapes.TEXT.then(name -> new DeviceId(call.tenant(), name).name()));
    in.done();
    return wish(Steer.ADD_DEVICE, Optional.empty(), device.find(), List.of());
  }

  SteerWish skip(DeviceId device) {
    in.done();
    return wish(Steer.SKIP_DEVICE, Optional.empty(), Optional.of(device.name()), List.of());
  }

  private SteerWish wish(
      Steer what, Optional<Integer> wave, Optional<String> device, List<String> codes) {
    return new SteerWish(id(), what, by(), reason.or(""), wave, device, codes, Optional.empty());
  }

  private String by() {
    return call.caller().name();
  }

  /// The one that the caller chose, or a new one.
  private String id() {
    return UpgradeId.of(call);
  }
}
