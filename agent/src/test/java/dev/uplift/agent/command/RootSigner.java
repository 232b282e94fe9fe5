package dev.uplift.agent.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.protocol.SignedTrustRoot;
import dev.uplift.protocol.TrustRoot;
import dev.uplift.protocol.TrustRoot.Role;
import dev.uplift.protocol.TrustRoot.RoleKeys;
import dev.uplift.protocol.signature.SignatureDomain;
import dev.uplift.protocol.signature.SigningKey;
import dev.uplift.protocol.signature.TrustedKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Signs the roots of a tenant with its keys. Changes apply to the next root.
final class RootSigner {
  SigningKey owner = SigningKey.generate();
  SigningKey release = SigningKey.generate();
  SigningKey command = SigningKey.generate();
  Instant expiresAt = FakeServer.NOW.plus(Duration.ofDays(365));
  private SigningKey ownerBefore = owner;
  private long version = 1;

  TrustRoot root() {
    var keys = new TreeMap<String, TrustedKey>();
    List.of(owner, release, command).forEach(key -> keys.put(key.keyId(), key.trustedKey()));
    return new TrustRoot(
        "acme",
        version,
        expiresAt,
        keys,
        Map.of(Role.ROOT, only(owner), Role.RELEASE, only(release), Role.COMMAND, only(command)));
  }

  /// Signed by the root before and by itself.
  SignedTrustRoot next() {
    version++;
    byte[] bytes = root().write();
    String lines =
        ownerBefore.sign(SignatureDomain.ROOT, bytes) + "\n" + owner.sign(SignatureDomain.ROOT, bytes) + "\n";
    ownerBefore = owner;
    return new SignedTrustRoot(new String(bytes, UTF_8), lines);
  }

  /// All keys are other ones.
  SignedTrustRoot rotateAll() {
    owner = SigningKey.generate();
    release = SigningKey.generate();
    command = SigningKey.generate();
    return next();
  }

  private static RoleKeys only(SigningKey key) {
    return new RoleKeys(1, List.of(key.keyId()));
  }
}
