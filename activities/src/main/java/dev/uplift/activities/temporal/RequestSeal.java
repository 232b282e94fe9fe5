package dev.uplift.activities.temporal;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.workflows.Payloads;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Proves that a workflow was started, or an Update sent, by a server of this installation: an HMAC by the servers'
/// secret. Temporal carries it and cannot make it.
public final class RequestSeal {
  /// Longer than a request waits for its answer, and than clocks differ.
  static final Duration UPDATE_VALIDITY = Duration.ofMinutes(5);

  private static final String ALGORITHM = "HmacSHA256";
  private static final String PURPOSE = "uplift-temporal-request-v1";

  private volatile List<SecretKeySpec> secrets;

  /// @param secrets the same on all servers, one per line. The first one seals, all of them verify
  public RequestSeal(String secrets) {
    this.secrets = keys(secrets);
  }

  /// Seals and verifies with these from now on.
  ///
  /// @param others as those of the constructor
  public void replace(String others) {
    secrets = keys(others);
  }

  private static List<SecretKeySpec> keys(String secrets) {
    return secrets.lines().map(line -> new SecretKeySpec(line.getBytes(UTF_8), ALGORITHM)).toList();
  }

  /// Seals the start of a workflow. Without an end: it may wait for a worker, and started twice it is the same one.
  String sealStart(String workflowId, String type, Object[] input) {
    return mac(secrets.getFirst(), input, "start", workflowId, type);
  }

  boolean isStartSealed(String seal, String workflowId, String type, Object[] input) {
    return isValid(seal, input, "start", workflowId, type);
  }

  /// Seals an Update of a run, or of whichever run there is.
  ///
  /// @param runId may be empty
  String sealUpdate(String workflowId, String runId, String name, Object[] arguments, Instant now) {
    String time = Long.toString(now.toEpochMilli());
    return "%s.%s.%s"
        .formatted(time, runId, mac(secrets.getFirst(), arguments, "update", workflowId, runId, name, time));
  }

  boolean isUpdateSealed(String seal, String workflowId, String runId, String name, Object[] arguments, Instant now) {
    String[] parts = seal.split("\\.", -1);
    return parts.length == 3
        && (parts[1].isEmpty() || parts[1].equals(runId))
        && isValid(parts[2], arguments, "update", workflowId, parts[1], name, parts[0])
        && Duration.between(Instant.ofEpochMilli(Long.parseLong(parts[0])), now).abs().compareTo(UPDATE_VALIDITY) <= 0;
  }

  private boolean isValid(String found, Object[] arguments, String... parts) {
    return secrets.stream()
        .map(secret -> mac(secret, arguments, parts).getBytes(UTF_8))
        .anyMatch(right -> MessageDigest.isEqual(right, found.getBytes(UTF_8)));
  }

  private static String mac(SecretKeySpec secret, Object[] arguments, String... parts) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(secret);
      mac.update(PURPOSE.getBytes(UTF_8));
      for (String part : parts) {
        // A length before each, so that different parts give different texts.
        byte[] bytes = part.getBytes(UTF_8);
        mac.update("\0%d:".formatted(bytes.length).getBytes(UTF_8));
        mac.update(bytes);
      }
      mac.update((byte) 0);
      mac.update(Payloads.canonical(arguments));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(mac.doFinal());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }
}
