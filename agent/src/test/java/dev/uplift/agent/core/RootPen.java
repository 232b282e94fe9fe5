package dev.uplift.agent.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.protocol.Purpose;
import dev.uplift.protocol.Root;
import dev.uplift.protocol.Root.Holders;
import dev.uplift.protocol.Root.Role;
import dev.uplift.protocol.SignedRoot;
import dev.uplift.protocol.SigningKey;
import dev.uplift.protocol.TrustedKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The keys of a tenant, and whoever writes its roots. What is changed counts in the next one.
final class RootPen {
  SigningKey owner = SigningKey.generate();
  SigningKey release = SigningKey.generate();
  SigningKey command = SigningKey.generate();
  Instant expiresAt = FakeServer.NOW.plus(Duration.ofDays(365));
  private SigningKey ownerBefore = owner;
  private long version = 1;

  Root root() {
    var keys = new TreeMap<String, TrustedKey>();
    List.of(owner, release, command).forEach(key -> keys.put(key.keyId(), key.trusted()));
    return new Root(
        "acme",
        version,
        expiresAt,
        keys,
        Map.of(Role.ROOT, only(owner), Role.RELEASE, only(release), Role.COMMAND, only(command)));
  }

  /// Signed by the root before and by itself.
  SignedRoot next() {
    version++;
    byte[] bytes = root().write();
    String lines =
        ownerBefore.sign(Purpose.ROOT, bytes) + "\n" + owner.sign(Purpose.ROOT, bytes) + "\n";
    ownerBefore = owner;
    return new SignedRoot(new String(bytes, UTF_8), lines);
  }

  /// All keys are other ones.
  SignedRoot exchangeAll() {
    owner = SigningKey.generate();
    release = SigningKey.generate();
    command = SigningKey.generate();
    return next();
  }

  private static Holders only(SigningKey key) {
    return new Holders(1, List.of(key.keyId()));
  }
}
