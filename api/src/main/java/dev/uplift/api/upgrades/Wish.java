package dev.uplift.api.upgrades;

import dev.uplift.api.json.Body;
import dev.uplift.api.json.Field;
import dev.uplift.api.json.Shapes;
import dev.uplift.fleet.HostId;
import io.micronaut.http.HttpRequest;
import java.time.Instant;
import java.util.Optional;

/// What a person wants of a running upgrade.
///
/// @param reason in their own words; may be empty
/// @param host that it is about; empty: the one that waits, or none
/// @param notAfter the new deadline, of a wish for one
record Wish(Kind kind, String reason, Optional<HostId> host, Optional<Instant> notAfter) {
  private static final int REASON_CHARS = 500;

  /// The words of the API.
  enum Kind {
    ABORT,
    PAUSE,
    RESUME,
    RETRY_STEP,
    SKIP_HOST,
    EXTEND_DEADLINE,
    APPROVE,
    DENY;

    @Override
    public String toString() {
      return Shapes.word(this);
    }
  }

  static Wish ofUpgrade(Kind kind, HttpRequest<?> request) {
    Body in = Body.orEmpty(request);
    Field<String> reason = in.optional("reason", Shapes.text(REASON_CHARS));
    in.done();
    return new Wish(kind, reason.or(""), Optional.empty(), Optional.empty());
  }

  static Wish ofHost(Kind kind, HttpRequest<?> request) {
    Body in = Body.orEmpty(request);
    Field<String> reason = in.optional("reason", Shapes.text(REASON_CHARS));
    Field<HostId> host = in.optional("host", Shapes.TEXT.then(HostId::new));
    in.done();
    return new Wish(kind, reason.or(""), host.find(), Optional.empty());
  }

  static Wish ofDeadline(HttpRequest<?> request, Instant now) {
    Body in = Body.of(request);
    Field<String> reason = in.optional("reason", Shapes.text(REASON_CHARS));
    Field<Instant> notAfter = in.required("not_after", Shapes.INSTANT);
    notAfter
        .find()
        .flatMap(end -> UpgradeWish.faultOf(end, now))
        .ifPresent(why -> in.wrong("/not_after", why));
    in.done();
    return new Wish(
        Kind.EXTEND_DEADLINE, reason.or(""), Optional.empty(), Optional.of(notAfter.get()));
  }

  String inWords() {
    String what = host.map(HostId::value).or(() -> notAfter.map(Instant::toString)).orElse("");
    return what.isEmpty() || reason.isEmpty() ? what + reason : what + ": " + reason;
  }
}
