package dev.uplift.activities.host;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.fleet.HostId;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// The addresses from which hosts fetch artifacts. Each is for one host of one tenant, one artifact
/// and a time, and nobody but us can write one.
public final class ArtifactAddresses {
  private static final String ALGORITHM = "HmacSHA256";

  private final String base;
  private final SecretKeySpec secret;

  /// Writes and checks addresses.
  ///
  /// @param base as hosts reach us, without a slash at its end: `http://uplift.example:8080`
  public ArtifactAddresses(String base, byte[] secret) {
    this.base = base.replaceFirst("/+$", "");
    this.secret = new SecretKeySpec(secret, ALGORITHM);
  }

  public String address(String tenant, HostId host, String digest, Instant expires) {
    String seconds = String.valueOf(expires.getEpochSecond());
    return "%s/artifacts/%s?tenant=%s&host=%s&expires=%s&mac=%s"
        .formatted(base, digest, tenant, host, seconds, mac(tenant, host.value(), digest, seconds));
  }

  /// Whether we have written an address of these parts and it still holds.
  ///
  /// @param expires in seconds since 1970, as the address says it
  public boolean allow(
      String tenant, String host, String digest, String expires, String mac, Instant now) {
    boolean ours =
        MessageDigest.isEqual(
            mac(tenant, host, digest, expires).getBytes(UTF_8), mac.getBytes(UTF_8));
    return ours && now.isBefore(instant(expires));
  }

  private static Instant instant(String seconds) {
    try {
      return Instant.ofEpochSecond(Long.parseLong(seconds));
    } catch (NumberFormatException | DateTimeException _) {
      return Instant.MIN;
    }
  }

  private String mac(String tenant, String host, String digest, String expires) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(secret);
      String text = String.join("\n", "uplift-artifact-v1", tenant, host, digest, expires);
      return Base64.getUrlEncoder().withoutPadding().encodeToString(mac.doFinal(text.getBytes(UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }
}
