package dev.uplift.api.upgrades;

import dev.uplift.activities.temporal.Steered;
import dev.uplift.api.call.Call;
import dev.uplift.api.call.Changes;
import dev.uplift.api.problem.Refusal;
import dev.uplift.api.security.Role;
import dev.uplift.api.settings.ForApi;
import dev.uplift.store.UpgradeRow;
import dev.uplift.store.Upgrades;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.security.annotation.Secured;
import io.micronaut.serde.annotation.Serdeable;
import java.time.InstantSource;

/// Tells running upgrades what people want. One that does not do it says why: 409.
@ForApi
@Controller("/v1/tenants/{tenant}/upgrades/{id}")
@Secured(Role.OPERATOR)
final class SteeringController {
  private final Upgrades upgrades;
  private final Helm helm;
  private final Changes changes;
  private final InstantSource clock;

  SteeringController(Upgrades upgrades, Helm helm, Changes changes, InstantSource clock) {
    this.clock = clock;
    this.upgrades = upgrades;
    this.helm = helm;
    this.changes = changes;
  }

  /// What the upgrade answered.
  ///
  /// @param said a sentence: what it does now, or what was interrupted
  @Serdeable
  record Told(String id, String said) {}

  @Post("/abort")
  Told abort(Call call, String id, HttpRequest<?> request) {
    return tell(call, id, Wish.ofUpgrade(Wish.Kind.ABORT, request));
  }

  @Post("/pause")
  Told pause(Call call, String id, HttpRequest<?> request) {
    return tell(call, id, Wish.ofUpgrade(Wish.Kind.PAUSE, request));
  }

  @Post("/resume")
  Told resume(Call call, String id, HttpRequest<?> request) {
    return tell(call, id, Wish.ofUpgrade(Wish.Kind.RESUME, request));
  }

  @Post("/retry-step")
  Told retryStep(Call call, String id, HttpRequest<?> request) {
    return tell(call, id, Wish.ofHost(Wish.Kind.RETRY_STEP, request));
  }

  @Post("/skip-host")
  Told skipHost(Call call, String id, HttpRequest<?> request) {
    return tell(call, id, Wish.ofHost(Wish.Kind.SKIP_HOST, request));
  }

  /// Until then things may be begun.
  @Post("/extend-deadline")
  Told extendDeadline(Call call, String id, HttpRequest<?> request) {
    return tell(call, id, Wish.ofDeadline(request, clock.instant()));
  }

  @Post("/approve")
  Told approve(Call call, String id, HttpRequest<?> request) {
    return tell(call, id, Wish.ofUpgrade(Wish.Kind.APPROVE, request));
  }

  @Post("/deny")
  Told deny(Call call, String id, HttpRequest<?> request) {
    return tell(call, id, Wish.ofUpgrade(Wish.Kind.DENY, request));
  }

  private Told tell(Call call, String id, Wish wish) {
    UpgradeRow row = running(call, UpgradeId.checked(id));
    Helm.refuseTheAuthor(row, wish, call.caller().name());
    String said = call.validates() ? helm.check(row, wish) : tell(call, row, wish);
    return new Told(id, said);
  }

  private String tell(Call call, UpgradeRow row, Wish wish) {
    return switch (helm.tell(row, wish, call.caller().name())) {
      case Steered.Done(String sentence) -> {
        note(call, row, wish);
        yield sentence;
      }
      case Steered.Refused(String why) -> throw Refusal.conflict(why);
      case Steered.Over() -> {
        // It may have ended while it was asked.
        UpgradeRow now = running(call, row.id());
        throw Refusal.conflict(
            "the upgrade %s is just beginning or ending; try again".formatted(now.id()));
      }
    };
  }

  private UpgradeRow running(Call call, String id) {
    UpgradeRow row =
        upgrades.find(call.tenant(), id).orElseThrow(() -> UpgradeController.missing(call, id));
    row.end().ifPresent(end -> Helm.refuseEnded(row, end));
    return row;
  }

  private void note(Call call, UpgradeRow row, Wish wish) {
    changes.make(
        call,
        () -> {
          changes.note(call, "upgrade." + wish.kind(), "upgrade/" + row.id(), wish.inWords());
          return row;
        });
  }
}
