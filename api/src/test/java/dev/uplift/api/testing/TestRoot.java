package dev.uplift.api.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.protocol.TrustRoot;
import dev.uplift.protocol.TrustRoot.Role;
import dev.uplift.protocol.TrustRoot.RoleKeys;
import dev.uplift.protocol.signature.SignatureDomain;
import dev.uplift.protocol.signature.SigningKey;
import dev.uplift.protocol.signature.TrustedKey;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/// A root to publish, with one key per role.
public record TestRoot(
    String tenant, long version, Instant expiresAt, SigningKey root, SigningKey release, SigningKey command) {
  public TestRoot(String tenant, SigningKey root, SigningKey release, SigningKey command) {
    this(tenant, 1, Instant.parse("2999-01-01T00:00:00Z"), root, release, command);
  }

  /// Returns the next version, with these keys.
  public TestRoot next(SigningKey nextRoot, SigningKey nextRelease, SigningKey nextCommand) {
    return new TestRoot(tenant, version + 1, expiresAt, nextRoot, nextRelease, nextCommand);
  }

  /// Returns the next version, with the same keys.
  public TestRoot next() {
    return next(root, release, command);
  }

  public TestRoot withVersion(long other) {
    return new TestRoot(tenant, other, expiresAt, root, release, command);
  }

  public TestRoot withExpiry(Instant at) {
    return new TestRoot(tenant, version, at, root, release, command);
  }

  public byte[] text() {
    var keys = new TreeMap<String, TrustedKey>();
    List.of(root, release, command).forEach(key -> keys.put(key.keyId(), key.trustedKey()));
    return new TrustRoot(
            tenant,
            version,
            expiresAt,
            keys,
            Map.of(Role.ROOT, only(root), Role.RELEASE, only(release), Role.COMMAND, only(command)))
        .write();
  }

  private static RoleKeys only(SigningKey key) {
    return new RoleKeys(1, List.of(key.keyId()));
  }

  /// Returns the body that publishes it, signed with these keys.
  public String body(SigningKey... by) {
    return JsonMapper.shared()
        .createObjectNode()
        .put("root", new String(text(), UTF_8))
        .put(
            "signature",
            Arrays.stream(by).map(key -> key.sign(SignatureDomain.ROOT, text()) + "\n").collect(Collectors.joining()))
        .toString();
  }
}
