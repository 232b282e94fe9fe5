package dev.uplift.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.protocol.TrustRoot.Role;
import dev.uplift.protocol.TrustRoot.RoleKeys;
import dev.uplift.protocol.signature.SignatureDomain;
import dev.uplift.protocol.signature.SigningKey;
import dev.uplift.protocol.signature.TrustedKey;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Roots for tests.
final class TestTrustRoots {
  static final Instant EXPIRES = Instant.parse("2027-03-29T00:00:00Z");

  static final TrustRoot EXAMPLE = root("acme", 1, 1, List.of(TestKeys.RFC_8032), TestKeys.RELEASE, TestKeys.COMMAND);

  private TestTrustRoots() {}

  static TrustRoot root(
      String tenant, long version, int threshold, List<SigningKey> root, SigningKey release, SigningKey command) {
    SortedMap<String, TrustedKey> keys = new TreeMap<>();
    Stream.concat(root.stream(), Stream.of(release, command)).forEach(key -> keys.put(key.keyId(), key.trustedKey()));
    return new TrustRoot(
        tenant,
        version,
        EXPIRES,
        keys,
        Map.of(
            Role.ROOT,
            new RoleKeys(threshold, root.stream().map(SigningKey::keyId).toList()),
            Role.RELEASE,
            new RoleKeys(1, List.of(release.keyId())),
            Role.COMMAND,
            new RoleKeys(1, List.of(command.keyId()))));
  }

  static SignedTrustRoot signed(TrustRoot trustRoot, SigningKey... by) {
    byte[] bytes = trustRoot.write();
    return new SignedTrustRoot(
        new String(bytes, UTF_8),
        Arrays.stream(by).map(key -> key.sign(SignatureDomain.ROOT, bytes) + "\n").collect(Collectors.joining()));
  }
}
