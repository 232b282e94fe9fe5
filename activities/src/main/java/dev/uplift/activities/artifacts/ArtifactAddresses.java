package dev.uplift.activities.artifacts;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.fleet.HostId;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Addresses of artifacts, each for one host and up to one point in time. Whoever has one can fetch
/// the artifact and needs no other right; nobody can make one without the secret.
public final class ArtifactAddresses {
  private static final String ALGORITHM = "HmacSHA256";
  private static final String PURPOSE = "uplift-artifact-v1";

  private final String publicUrl;
  private final SecretKeySpec secret;

  /// An address starts with the public one, as hosts reach the server.
  ///
  /// @param secret the same on all servers
  public ArtifactAddresses(String publicUrl, String secret) {
    this.publicUrl = publicUrl.replaceFirst("/+$", "");
    this.secret = new SecretKeySpec(secret.getBytes(UTF_8), ALGORITHM);
  }

  /// The address of an artifact; the same arguments make the same address.
  ///
  /// @param digest SHA-256 in hex
  /// @param expires counted in whole seconds
  public String of(String tenant, HostId host, String digest, Instant expires) {
    String until = Long.toString(expires.getEpochSecond());
    return "%s/artifacts/%s?tenant=%s&host=%s&expires=%s&mac=%s"
        .formatted(
            publicUrl, digest, tenant, host, until, mac(tenant, host.value(), digest, until));
  }

  /// Whether the four belong to an address that we made. Says nothing about the time.
  public boolean made(String tenant, String host, String digest, String expires, String mac) {
    byte[] right = mac(tenant, host, digest, expires).getBytes(UTF_8);
    return MessageDigest.isEqual(right, mac.getBytes(UTF_8));
  }

  private String mac(String... parts) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(secret);
      mac.update(PURPOSE.getBytes(UTF_8));
      for (String part : parts) {
        // No part of an address of ours has a zero byte, so no two addresses look the same here.
        mac.update((byte) 0);
        mac.update(part.getBytes(UTF_8));
      }
      return Base64.getUrlEncoder().withoutPadding().encodeToString(mac.doFinal());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }
}
