package dev.uplift.api.upgrades;

import dev.uplift.api.json.Body;
import dev.uplift.api.json.Field;
import dev.uplift.api.json.Shapes;
import io.micronaut.http.HttpRequest;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/// How somebody wants an upgrade to be taken back.
///
/// @param notAfter no host is begun with past this
/// @param reason in their own words; may be empty
record RevertWish(Instant notAfter, String reason) {
  private static final int REASON_CHARS = 500;

  static RevertWish read(HttpRequest<?> request, Instant now) {
    Body in = Body.orEmpty(request);
    Field<Instant> notAfter = in.optional("not_after", Shapes.INSTANT);
    Field<String> reason = in.optional("reason", Shapes.text(REASON_CHARS));
    UpgradeWish.checkDeadline(in, notAfter, now);
    in.done();
    return new RevertWish(
        notAfter.or(now.plus(UpgradeWish.USUAL).truncatedTo(ChronoUnit.SECONDS)), reason.or(""));
  }
}
