package dev.uplift.temporaldev.secrets;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.cli.file.PrivateFile;
import dev.uplift.cli.rest.RestClient;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Bearer tokens for the REST interface: JWT, HS256. `viewer` may read, `operator` may also act, `admin` may also write
/// devices, releases and tenants. The tokens in files are for every tenant, valid for thirty days, and rewritten when
/// the stack is opened.
public final class StackTokens {
  private static final List<String> ROLES = List.of("viewer", "operator", "admin");
  private static final Duration VALIDITY = Duration.ofDays(30);

  private final Path folder;
  private final Path secret;

  public StackTokens(Path folder, Path secret) {
    this.folder = folder;
    this.secret = secret;
    for (String role : ROLES) {
      PrivateFile.write(folder.resolve(role), create(role, "*", role, VALIDITY));
    }
  }

  /// Returns the folder with a file per role.
  public Path folder() {
    return folder;
  }

  /// Returns the token of a role for every tenant.
  public String forRole(String role) {
    return PrivateFile.read(folder.resolve(role));
  }

  public String admin() {
    return forRole("admin");
  }

  /// Creates a token for one tenant or `*`, with the rights of a role, valid from now on.
  public String create(String subject, String tenant, String role, Duration validity) {
    int rights = ROLES.indexOf(role);
    if (rights < 0) {
      throw new IllegalArgumentException("no such role: " + role);
    }
    Instant now = Instant.now();
    Map<String, Object> claims = new LinkedHashMap<>();
    claims.put("sub", subject);
    claims.put("tenant", tenant);
    claims.put("roles", ROLES.subList(0, rights + 1));
    claims.put("iat", now.getEpochSecond());
    claims.put("exp", now.plus(validity).getEpochSecond());
    claims.put("jti", UUID.randomUUID().toString());
    Map<String, Object> header = new LinkedHashMap<>();
    header.put("alg", "HS256");
    header.put("typ", "JWT");
    String text = encodePart(header) + "." + encodePart(claims);
    return text + "." + base64(sign(text));
  }

  private static String encodePart(Map<String, Object> map) {
    return base64(RestClient.JSON.writeValueAsBytes(map));
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private byte[] sign(String text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(PrivateFile.read(secret).getBytes(UTF_8), "HmacSHA256"));
      return mac.doFinal(text.getBytes(UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has HmacSHA256", e);
    }
  }
}
