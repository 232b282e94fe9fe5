package dev.uplift.services.trust;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.protocol.TrustRoot;
import dev.uplift.protocol.TrustRoot.Role;
import dev.uplift.protocol.TrustRoot.RoleKeys;
import dev.uplift.protocol.signature.SigningKey;
import dev.uplift.protocol.signature.TrustedKey;
import dev.uplift.store.Database;
import dev.uplift.store.DatabaseSettings;
import dev.uplift.store.enrolment.EnrolmentRepository;
import dev.uplift.store.tenant.TenantRepository;
import dev.uplift.store.trust.TrustRootRepository;
import dev.uplift.store.trust.TrustRootRow;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;

/// A tenant in tables of its own, with unsigned roots, because signatures are not checked here.
final class TenantFixture implements AutoCloseable {
  final String name = "t-" + UUID.randomUUID().toString().substring(0, 8);
  private final Database database = Database.open(DatabaseSettings.h2InMemory());
  private final TrustRootRepository trustRoots = database.repository(TrustRootRepository.class);

  TenantFixture() {
    database.repository(TenantRepository.class).put(name, "");
  }

  TrustRootRepository trustRoots() {
    return trustRoots;
  }

  EnrolmentRepository enrolments() {
    return database.repository(EnrolmentRepository.class);
  }

  /// Publishes the next root, with these command keys.
  TrustRootRow publish(SigningKey... commands) {
    return publish(Instant.parse("2999-01-01T00:00:00Z"), commands);
  }

  /// As above, with an expiry.
  TrustRootRow publish(Instant end, SigningKey... commands) {
    long version = trustRoots.findNewest(name).map(TrustRootRow::version).orElse(0L) + 1;
    SigningKey owner = SigningKey.generate();
    SigningKey release = SigningKey.generate();
    var keys = new TreeMap<String, TrustedKey>();
    Stream.concat(Stream.of(owner, release), Stream.of(commands))
        .forEach(key -> keys.put(key.keyId(), key.trustedKey()));
    TrustRoot trustRoot =
        new TrustRoot(
            name,
            version,
            end,
            keys,
            Map.of(
                Role.ROOT, new RoleKeys(1, List.of(owner.keyId())),
                Role.RELEASE, new RoleKeys(1, List.of(release.keyId())),
                Role.COMMAND, new RoleKeys(1, Stream.of(commands).map(SigningKey::keyId).toList())));
    return trustRoots.putIfAbsent(name, version, new String(trustRoot.write(), UTF_8), "signatures");
  }

  @Override
  public void close() {
    database.close();
  }
}
