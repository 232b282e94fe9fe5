package dev.uplift.protocol.enrolment;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.protocol.FieldLimits;
import dev.uplift.protocol.TrustRoot;
import dev.uplift.protocol.json.JsonObject;
import dev.uplift.protocol.json.JsonWriter;
import dev.uplift.protocol.json.MalformedMessage;
import java.security.SecureRandom;
import java.util.Base64;

/// Lets one host join the fleet, once. As text it is one word, whose end tells whether it is whole. A secret;
/// [#toString()] does not show it.
///
/// @param url of the server, as the host reaches it
/// @param secret random; the server keeps no more than its hash
/// @param caFingerprint SHA-256 of the certificate that vouches for the server, in hex; empty where the usual
///   authorities do
/// @param rootKeys [TrustRoot#rootKeysHash()] of the root that the host has to receive, as the admin's own machine
///   knows it; empty where no admin has said it
/// @param rootVersion the lowest version of that root; 0 where no admin has said it
public record JoinToken(
    String url, String tenant, String host, String secret, String caFingerprint, String rootKeys, long rootVersion) {
  private static final String PREFIX = "uplift1.";
  private static final int CHECKSUM_CHARS = 8;
  private static final int SECRET_BYTES = 32;

  public JoinToken {
    FieldLimits.requireTenant("tenant", tenant);
    FieldLimits.requireHost("host", host);
    ServerAddress.requireHttps("url", url);
  }

  /// A new one.
  public static JoinToken create(String url, String tenant, String host, String authority) {
    byte[] random = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(random);
    String secret = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    return new JoinToken(url, tenant, host, secret, authority, "", 0);
  }

  /// Returns the same token, good for joining under this root or its successors with the same root keys only.
  public JoinToken withRoot(TrustRoot root) {
    FieldLimits.require(root.tenant().equals(tenant), "root", "one of " + tenant + ", found one of " + root.tenant());
    return new JoinToken(url, tenant, host, secret, caFingerprint, root.rootKeysHash(), root.version());
  }

  /// The part that the server stores.
  public String hash() {
    return hash(secret);
  }

  public static String hash(String secret) {
    return Sha256Hex.of(secret.getBytes(UTF_8));
  }

  /// The text that an operator takes to the host.
  public String encode() {
    byte[] body =
        JsonWriter.toBytes(jsonWriter ->
            jsonWriter
                .put("url", url)
                .put("tenant", tenant)
                .put("host", host)
                .put("secret", secret)
                .putUnlessEmpty("ca_fingerprint", caFingerprint)
                .putUnlessEmpty("root_keys", rootKeys)
                .put("root_version", rootVersion));
    String text = Base64.getUrlEncoder().withoutPadding().encodeToString(body);
    return PREFIX + text + "." + checksum(text);
  }

  /// Throws [MalformedMessage], which does not show the text, where it is none or not whole.
  public static JoinToken decode(String text) {
    String[] parts = text.strip().split("\\.", -1);
    if (parts.length != 3 || !PREFIX.equals(parts[0] + ".") || !parts[2].equals(checksum(parts[1]))) {
      throw new MalformedMessage("token: expected one whole word that begins with " + PREFIX + ", as it was shown");
    }
    JsonObject in = JsonObject.parse(Base64.getUrlDecoder().decode(parts[1]));
    return new JoinToken(
        in.string("url"),
        in.string("tenant"),
        in.string("host"),
        in.string("secret"),
        in.stringOr("ca_fingerprint", ""),
        in.stringOr("root_keys", ""),
        in.numberOr("root_version", 0));
  }

  private static String checksum(String text) {
    return Sha256Hex.of(text.getBytes(UTF_8)).substring(0, CHECKSUM_CHARS);
  }

  @Override
  public String toString() {
    return "token for %s of %s".formatted(host, tenant);
  }
}
