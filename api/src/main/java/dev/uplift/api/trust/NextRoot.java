package dev.uplift.api.trust;

import dev.uplift.api.call.Call;
import dev.uplift.api.json.Body;
import dev.uplift.api.json.Field;
import dev.uplift.api.json.Shapes;
import dev.uplift.api.problem.Fault;
import dev.uplift.api.problem.Refusal;
import dev.uplift.protocol.MalformedMessage;
import dev.uplift.protocol.Root;
import dev.uplift.protocol.SignedRoot;
import dev.uplift.store.RootRow;
import dev.uplift.store.Roots;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// Decides which root may follow: the one that every host would follow too.
@Singleton
final class NextRoot {
  private final Roots roots;
  private final InstantSource clock;

  NextRoot(Roots roots, InstantSource clock) {
    this.roots = roots;
    this.clock = clock;
  }

  static SignedRoot read(Body in) {
    Field<String> text = in.required("root", Shapes.EXACT);
    Field<String> signature = in.required("signature", Shapes.EXACT);
    in.done();
    try {
      return new SignedRoot(text.get(), signature.get());
    } catch (MalformedMessage e) {
      throw unacceptable("", String.valueOf(e.getMessage()));
    }
  }

  /// Throws a [Refusal] where it may not.
  void check(Call call, long version, SignedRoot signed) {
    Optional<RootRow> newest = roots.newest(call.tenant());
    boolean anew = call.flag("anew").orElse(false);
    Root root =
        switch (judgement(call, signed, newest, anew)) {
          case SignedRoot.Judgement.Good(Root good) -> good;
          case SignedRoot.Judgement.Refused(String why) -> throw unacceptable(pointer(why), why);
        };
    if (root.version() != version) {
      throw unacceptable(
          "/root",
          "version: expected that of the path, %d, found %d".formatted(version, root.version()));
    }
    if (anew && newest.isPresent() && version <= newest.get().version()) {
      throw unacceptable(
          "/root",
          "version: expected more than %d, or hosts would not take it for newer"
              .formatted(newest.get().version()));
    }
    if (root.isExpired(clock.instant())) {
      throw unacceptable("/root", "expires_at: expected a time to come, found " + root.expiresAt());
    }
  }

  private SignedRoot.Judgement judgement(
      Call call, SignedRoot signed, Optional<RootRow> newest, boolean anew) {
    if (newest.isEmpty()) {
      return signed.alone(call.tenant());
    }
    if (anew) {
      if (!call.caller().isForAll()) {
        throw Refusal.of(
            HttpStatus.FORBIDDEN, "to begin anew needs an admin of all tenants (tenant *)");
      }
      return signed.alone(call.tenant());
    }
    byte[] text = newest.get().text().getBytes(StandardCharsets.UTF_8);
    return signed.after(Root.read(text));
  }

  private static String pointer(String why) {
    return why.startsWith("signature") ? "/signature" : "/root";
  }

  static Refusal taken(RootRow row) {
    return Refusal.conflict(
        "root %d of %s was published at %s with another text, and never changes"
            .formatted(row.version(), row.tenant(), row.recordedAt()));
  }

  private static Refusal unacceptable(String pointer, String detail) {
    return Refusal.unacceptable(List.of(Fault.at(pointer, detail)));
  }
}
