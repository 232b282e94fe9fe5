package dev.uplift.services.artifacts;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.fleet.HostId;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Signs URLs of artifacts, each for one host and until one point in time. The URL is the only permission that a
/// download needs; without the secret none can be made.
public final class ArtifactUrlSigner {
  private static final String ALGORITHM = "HmacSHA256";
  private static final String PURPOSE = "uplift-artifact-v1";

  private final String publicUrl;
  private volatile List<SecretKeySpec> secrets;

  /// A URL starts with the public one, by which hosts reach the server.
  ///
  /// @param secrets the same on all servers, one per line. The first one signs, all of them verify
  public ArtifactUrlSigner(String publicUrl, String secrets) {
    this.publicUrl = publicUrl.replaceFirst("/+$", "");
    this.secrets = keys(secrets);
  }

  /// Signs and verifies with these from now on.
  ///
  /// @param others as those of the constructor
  public void replace(String others) {
    secrets = keys(others);
  }

  private static List<SecretKeySpec> keys(String secrets) {
    return secrets.lines().map(line -> new SecretKeySpec(line.getBytes(UTF_8), ALGORITHM)).toList();
  }

  /// Returns the URL of an artifact; the same arguments give the same URL.
  ///
  /// @param digest SHA-256 in hex
  /// @param expires counted in whole seconds
  public String sign(String tenant, HostId host, String digest, Instant expires) {
    String until = Long.toString(expires.getEpochSecond());
    return "%s/artifacts/%s?tenant=%s&host=%s&expires=%s&mac=%s"
        .formatted(
            publicUrl, digest, tenant, host, until, mac(secrets.getFirst(), tenant, host.value(), digest, until));
  }

  /// Returns whether the four belong to a URL that was signed here. Does not check the time.
  public boolean isValid(String tenant, String host, String digest, String expires, String mac) {
    byte[] found = mac.getBytes(UTF_8);
    return secrets.stream()
        .map(secret -> mac(secret, tenant, host, digest, expires).getBytes(UTF_8))
        .anyMatch(right -> MessageDigest.isEqual(right, found));
  }

  private static String mac(SecretKeySpec secret, String... parts) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(secret);
      mac.update(PURPOSE.getBytes(UTF_8));
      for (String part : parts) {
        // No part of a URL has a zero byte, so different URLs give different texts.
        mac.update((byte) 0);
        mac.update(part.getBytes(UTF_8));
      }
      return Base64.getUrlEncoder().withoutPadding().encodeToString(mac.doFinal());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }
}
