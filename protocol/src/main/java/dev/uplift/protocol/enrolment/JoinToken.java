package dev.uplift.protocol.enrolment;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.protocol.Bounds;
import dev.uplift.protocol.Fields;
import dev.uplift.protocol.Json;
import dev.uplift.protocol.MalformedMessage;
import java.security.SecureRandom;
import java.util.Base64;

/// Lets one host join the fleet, once. As text it is one word, whose end tells whether it is whole.
/// A secret; [#toString()] does not show it.
///
/// @param url of the server, as the host reaches it
/// @param secret random; the server keeps no more than its hash
/// @param authority SHA-256 of the certificate that vouches for the server, in hex; empty where the
///   usual authorities do
public record JoinToken(String url, String tenant, String host, String secret, String authority) {
  private static final String BEGIN = "uplift1.";
  private static final int CHECK = 8;
  private static final int SECRET_BYTES = 32;

  public JoinToken {
    Bounds.tenant("tenant", tenant);
    Bounds.host("host", host);
  }

  /// A new one.
  public static JoinToken make(String url, String tenant, String host, String authority) {
    byte[] random = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(random);
    String secret = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    return new JoinToken(url, tenant, host, secret, authority);
  }

  /// What the server keeps of it.
  public String hash() {
    return hash(secret);
  }

  public static String hash(String secret) {
    return Hash.sha256(secret.getBytes(UTF_8));
  }

  /// What a person takes to the host.
  public String text() {
    byte[] body =
        Json.object(json ->
            json.put("url", url)
                .put("tenant", tenant)
                .put("host", host)
                .put("secret", secret)
                .putUnlessEmpty("ca", authority));
    String text = Base64.getUrlEncoder().withoutPadding().encodeToString(body);
    return BEGIN + text + "." + check(text);
  }

  /// Throws [MalformedMessage], which does not show the text, where it is none or not whole.
  public static JoinToken of(String text) {
    String[] parts = text.strip().split("\\.", -1);
    if (parts.length != 3 || !BEGIN.equals(parts[0] + ".") || !parts[2].equals(check(parts[1]))) {
      throw new MalformedMessage(
          "token: expected one whole word that begins with " + BEGIN + ", as it was shown");
    }
    Fields in = Fields.of(Base64.getUrlDecoder().decode(parts[1]));
    return new JoinToken(
        in.text("url"), in.text("tenant"), in.text("host"), in.text("secret"), in.textOr("ca", ""));
  }

  private static String check(String text) {
    return Hash.sha256(text.getBytes(UTF_8)).substring(0, CHECK);
  }

  @Override
  public String toString() {
    return "token for %s of %s".formatted(host, tenant);
  }
}
