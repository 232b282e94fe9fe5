package dev.uplift.services.enrolment;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.protocol.enrolment.RenewRequest;
import dev.uplift.protocol.nats.Nkey;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;

/// Challenges that a host has to sign when it renews its credentials, so that a request that was recorded, or was
/// obtained in advance, cannot be used later. A challenge is a time and a signature of the server over it: any server
/// that has the same key recognises it, and none has to remember it. Hosts need no clock for it.
///
/// @param key the server's, of which hosts cannot make a signature
record RenewalChallenge(Nkey key) {
  private static final String PURPOSE = "uplift-challenge-v1";
  private static final Duration LIFETIME = Duration.ofMinutes(5);

  /// Clocks of several servers differ.
  private static final Duration CLOCK_TOLERANCE = Duration.ofMinutes(1);

  String create(RenewRequest request, Instant now) {
    String at = Long.toString(now.getEpochSecond());
    return at + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(key.sign(signed(request, at)));
  }

  /// Returns whether the request has a challenge that was created for its host and key a short time ago.
  boolean isFresh(RenewRequest request, Instant now) {
    int dot = request.challenge().indexOf('.');
    if (dot < 0) {
      return false;
    }
    String at = request.challenge().substring(0, dot);
    try {
      byte[] signature = Base64.getUrlDecoder().decode(request.challenge().substring(dot + 1));
      long age = now.getEpochSecond() - Long.parseLong(at);
      return age <= LIFETIME.toSeconds()
          && age >= -CLOCK_TOLERANCE.toSeconds()
          && Nkey.verify(key.publicKey(), signed(request, at), signature);
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  private static byte[] signed(RenewRequest request, String at) {
    return String.join("\0", PURPOSE, request.tenant(), request.host(), request.key(), at).getBytes(UTF_8);
  }
}
