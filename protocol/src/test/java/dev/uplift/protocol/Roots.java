package dev.uplift.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.protocol.Root.Holders;
import dev.uplift.protocol.Root.Role;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Roots for tests.
final class Roots {
  static final Instant EXPIRES = Instant.parse("2027-03-29T00:00:00Z");

  static final Root EXAMPLE =
      root("acme", 1, 1, List.of(TestKey.RFC_8032), TestKey.RELEASE, TestKey.COMMAND);

  private Roots() {}

  static Root root(
      String tenant,
      long version,
      int threshold,
      List<SigningKey> root,
      SigningKey release,
      SigningKey command) {
    SortedMap<String, TrustedKey> keys = new TreeMap<>();
    Stream.concat(root.stream(), Stream.of(release, command))
        .forEach(key -> keys.put(key.keyId(), key.trusted()));
    return new Root(
        tenant,
        version,
        EXPIRES,
        keys,
        Map.of(
            Role.ROOT,
            new Holders(threshold, root.stream().map(SigningKey::keyId).toList()),
            Role.RELEASE,
            new Holders(1, List.of(release.keyId())),
            Role.COMMAND,
            new Holders(1, List.of(command.keyId()))));
  }

  static SignedRoot signed(Root root, SigningKey... by) {
    byte[] bytes = root.write();
    return new SignedRoot(
        new String(bytes, UTF_8),
        Arrays.stream(by)
            .map(key -> key.sign(Purpose.ROOT, bytes) + "\n")
            .collect(Collectors.joining()));
  }
}
