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

/// Addresses of artifacts, each for one host and up to one point in time. Whoever has one can fetch
/// the artifact and needs no other right; nobody can make one without the secret.
public final class ArtifactUrlSigner {
  private static final String ALGORITHM = "HmacSHA256";
  private static final String PURPOSE = "uplift-artifact-v1";

  private final String publicUrl;
  private final List<SecretKeySpec> secrets;

  /// An address starts with the public one, as hosts reach the server.
  ///
  /// @param secrets the same on all servers, a line each. The first makes addresses, and what any
  ///   of them has made is good
  public ArtifactUrlSigner(String publicUrl, String secrets) {
    this.publicUrl = publicUrl.replaceFirst("/+$", "");
    this.secrets =
        secrets.lines().map(line -> new SecretKeySpec(line.getBytes(UTF_8), ALGORITHM)).toList();
  }

  /// The address of an artifact; the same arguments make the same address.
  ///
  /// @param digest SHA-256 in hex
  /// @param expires counted in whole seconds
  public String sign(String tenant, HostId host, String digest, Instant expires) {
    String until = Long.toString(expires.getEpochSecond());
    return "%s/artifacts/%s?tenant=%s&host=%s&expires=%s&mac=%s"
        .formatted(
            publicUrl,
            digest,
            tenant,
            host,
            until,
            mac(secrets.getFirst(), tenant, host.value(), digest, until));
  }

  /// Whether the four belong to an address that we made. Says nothing about the time.
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
