package dev.uplift.api.upgrades;

import dev.uplift.api.json.Body;
import dev.uplift.api.json.Field;
import dev.uplift.api.json.Shapes;
import dev.uplift.fleet.HostId;
import io.micronaut.http.HttpRequest;
import java.util.Optional;

/// What a person wants of a running upgrade.
///
/// @param reason in their own words; may be empty
/// @param host that it is about; empty: the one that waits, or none
record Wish(Kind kind, String reason, Optional<HostId> host) {
  private static final int REASON_CHARS = 500;

  /// The words of the API.
  enum Kind {
    ABORT,
    PAUSE,
    RESUME,
    RETRY_STEP,
    SKIP_HOST;

    @Override
    public String toString() {
      return Shapes.word(this);
    }
  }

  static Wish ofUpgrade(Kind kind, HttpRequest<?> request) {
    Body in = Body.orEmpty(request);
    Field<String> reason = in.optional("reason", Shapes.text(REASON_CHARS));
    in.done();
    return new Wish(kind, reason.or(""), Optional.empty());
  }

  static Wish ofHost(Kind kind, HttpRequest<?> request) {
    Body in = Body.orEmpty(request);
    Field<String> reason = in.optional("reason", Shapes.text(REASON_CHARS));
    Field<HostId> host = in.optional("host", Shapes.TEXT.then(HostId::new));
    in.done();
    return new Wish(kind, reason.or(""), host.find());
  }

  String inWords() {
    return host.map(name -> name + ": ").orElse("") + reason;
  }
}
