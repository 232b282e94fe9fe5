package dev.uplift.api.upgrades;

import dev.uplift.api.json.JsonBody;
import dev.uplift.api.json.JsonField;
import dev.uplift.api.json.ValueReaders;
import io.micronaut.http.HttpRequest;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/// How somebody wants an upgrade to be taken back.
///
/// @param notAfter no host is begun with past this
/// @param reason in their own words; may be empty
record RevertUpgradeRequest(Instant notAfter, String reason) {
  private static final int REASON_CHARS = 500;

  static RevertUpgradeRequest read(HttpRequest<?> request, Instant now) {
    JsonBody in = JsonBody.ofOrEmpty(request);
    JsonField<Instant> notAfter = in.optional("not_after", ValueReaders.INSTANT);
    JsonField<String> reason = in.optional("reason", ValueReaders.text(REASON_CHARS));
    StartUpgradeRequest.addDeadlineError(in, notAfter, now);
    in.throwIfInvalid();
    return new RevertUpgradeRequest(
        notAfter.orElse(now.plus(StartUpgradeRequest.DEFAULT_DEADLINE).truncatedTo(ChronoUnit.SECONDS)), reason.orElse(""));
  }
}
