package dev.uplift.activities.trust;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.protocol.Root;
import dev.uplift.protocol.Root.Holders;
import dev.uplift.protocol.Root.Role;
import dev.uplift.protocol.SigningKey;
import dev.uplift.protocol.TrustedKey;
import dev.uplift.store.Database;
import dev.uplift.store.DatabaseSettings;
import dev.uplift.store.Enrolments;
import dev.uplift.store.RootRow;
import dev.uplift.store.Roots;
import dev.uplift.store.Tenants;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;

/// A tenant in tables of its own, and roots for it that nobody has signed: who may publish one is
/// not asked here.
final class Tenancy implements AutoCloseable {
  final String name = "t-" + UUID.randomUUID().toString().substring(0, 8);
  private final Database database = Database.open(DatabaseSettings.inMemory());
  private final Roots roots = new Roots(database, Clock.systemUTC());

  Tenancy() {
    new Tenants(database, Clock.systemUTC()).put(name, "");
  }

  Roots roots() {
    return roots;
  }

  Enrolments enrolments() {
    return new Enrolments(database, Clock.systemUTC());
  }

  /// The next one, with these command keys.
  RootRow publish(SigningKey... commands) {
    return publish(Instant.parse("2999-01-01T00:00:00Z"), commands);
  }

  /// The same, until then.
  RootRow publish(Instant end, SigningKey... commands) {
    long version = roots.newest(name).map(RootRow::version).orElse(0L) + 1;
    SigningKey owner = SigningKey.generate();
    SigningKey release = SigningKey.generate();
    var keys = new TreeMap<String, TrustedKey>();
    Stream.concat(Stream.of(owner, release), Stream.of(commands))
        .forEach(key -> keys.put(key.keyId(), key.trusted()));
    Root root =
        new Root(
            name,
            version,
            end,
            keys,
            Map.of(
                Role.ROOT, new Holders(1, List.of(owner.keyId())),
                Role.RELEASE, new Holders(1, List.of(release.keyId())),
                Role.COMMAND, new Holders(1, Stream.of(commands).map(SigningKey::keyId).toList())));
    return roots.put(name, version, new String(root.write(), UTF_8), "signatures");
  }

  @Override
  public void close() {
    database.close();
  }
}
