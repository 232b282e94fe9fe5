package dev.uplift.api.upgrades;

import dev.uplift.api.json.JsonBody;
import dev.uplift.api.json.JsonField;
import dev.uplift.api.json.ValueReaders;
import dev.uplift.fleet.HostId;
import io.micronaut.http.HttpRequest;
import java.time.Instant;
import java.util.Optional;

/// What a person wants of a running upgrade.
///
/// @param reason in their own words; may be empty
/// @param host that it is about; empty: the one that waits, or none
/// @param notAfter the new deadline, of a wish for one
record UpgradeAction(Kind kind, String reason, Optional<HostId> host, Optional<Instant> notAfter) {
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
      return ValueReaders.enumWord(this);
    }
  }

  static UpgradeAction readSimple(Kind kind, HttpRequest<?> request) {
    JsonBody in = JsonBody.ofOrEmpty(request);
    JsonField<String> reason = in.optional("reason", ValueReaders.text(REASON_CHARS));
    in.throwIfInvalid();
    return new UpgradeAction(kind, reason.orElse(""), Optional.empty(), Optional.empty());
  }

  static UpgradeAction readForHost(Kind kind, HttpRequest<?> request) {
    JsonBody in = JsonBody.ofOrEmpty(request);
    JsonField<String> reason = in.optional("reason", ValueReaders.text(REASON_CHARS));
    JsonField<HostId> host = in.optional("host", ValueReaders.TEXT.then(HostId::new));
    in.throwIfInvalid();
    return new UpgradeAction(kind, reason.orElse(""), host.asOptional(), Optional.empty());
  }

  static UpgradeAction readExtendDeadline(HttpRequest<?> request, Instant now) {
    JsonBody in = JsonBody.of(request);
    JsonField<String> reason = in.optional("reason", ValueReaders.text(REASON_CHARS));
    JsonField<Instant> notAfter = in.required("not_after", ValueReaders.INSTANT);
    notAfter
        .asOptional()
        .flatMap(end -> StartUpgradeRequest.deadlineError(end, now))
        .ifPresent(why -> in.addError("/not_after", why));
    in.throwIfInvalid();
    return new UpgradeAction(
        Kind.EXTEND_DEADLINE, reason.orElse(""), Optional.empty(), Optional.of(notAfter.get()));
  }

  String auditText() {
    String what = host.map(HostId::value).or(() -> notAfter.map(Instant::toString)).orElse("");
    return what.isEmpty() || reason.isEmpty() ? what + reason : what + ": " + reason;
  }
}
