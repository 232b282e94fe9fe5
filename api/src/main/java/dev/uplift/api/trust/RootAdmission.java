package dev.uplift.api.trust;

import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.problem.RequestError;
import dev.uplift.api.request.RequestContext;
import dev.uplift.protocol.SignedTrustRoot;
import dev.uplift.protocol.TrustRoot;
import dev.uplift.protocol.json.MalformedMessage;
import dev.uplift.store.trust.TrustRootRepository;
import dev.uplift.store.trust.TrustRootRow;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// Decides which root may follow: one that every host would accept as well.
@Singleton
final class RootAdmission {
  private final TrustRootRepository roots;
  private final InstantSource clock;

  RootAdmission(TrustRootRepository roots, InstantSource clock) {
    this.roots = roots;
    this.clock = clock;
  }

  static SignedTrustRoot read(PublishRootRequest request) {
    try {
      return new SignedTrustRoot(request.root(), request.signature());
    } catch (MalformedMessage e) {
      throw unprocessable("", String.valueOf(e.getMessage()));
    }
  }

  /// @throws ProblemException if it may not follow
  void check(RequestContext requestContext, long version, SignedTrustRoot signed) {
    Optional<TrustRootRow> newest = roots.findNewest(requestContext.tenant());
    boolean newChain = requestContext.queryBoolean("new_chain").orElse(false);
    TrustRoot trustRoot =
        switch (verify(requestContext, signed, newest, newChain)) {
          case SignedTrustRoot.Verification.Valid(TrustRoot good) -> good;
          case SignedTrustRoot.Verification.Invalid(String why) -> throw unprocessable(pointer(why), why);
        };
    if (trustRoot.version() != version) {
      throw unprocessable(
          "/root", "version: expected %d, as in the path, found %d".formatted(version, trustRoot.version()));
    }
    if (newChain && newest.isPresent() && version <= newest.get().version()) {
      throw unprocessable(
          "/root",
          "version: expected more than %d, because hosts accept only a newer root".formatted(newest.get().version()));
    }
    if (trustRoot.isExpired(clock.instant())) {
      throw unprocessable("/root", "expires_at: expected a time in the future, found " + trustRoot.expiresAt());
    }
  }

  private SignedTrustRoot.Verification verify(
      RequestContext requestContext, SignedTrustRoot signed, Optional<TrustRootRow> newest, boolean newChain) {
    if (newest.isEmpty()) {
      if (!requestContext.caller().hasAllTenants()) {
        throw ProblemException.of(
            HttpStatus.FORBIDDEN, "the first root of a tenant needs an admin of all tenants (tenant *)");
      }
      return signed.verifyAsFirst(requestContext.tenant());
    }
    if (newChain) {
      if (!requestContext.caller().hasAllTenants()) {
        throw ProblemException.of(HttpStatus.FORBIDDEN, "a new chain needs an admin of all tenants (tenant *)");
      }
      return signed.verifyAsFirst(requestContext.tenant());
    }
    byte[] text = newest.get().document().getBytes(StandardCharsets.UTF_8);
    return signed.verifyAsSuccessorOf(TrustRoot.read(text));
  }

  private static String pointer(String why) {
    return why.startsWith("signature") ? "/signature" : "/root";
  }

  static ProblemException versionTaken(TrustRootRow row) {
    return ProblemException.conflict(
        "root %d of %s was published at %s with another text and cannot change"
            .formatted(row.version(), row.tenant(), row.recordedAt()));
  }

  private static ProblemException unprocessable(String pointer, String detail) {
    return ProblemException.unprocessable(List.of(RequestError.atPointer(pointer, detail)));
  }
}
