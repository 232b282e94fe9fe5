package dev.uplift.activities;

import static org.awaitility.Awaitility.await;

import dev.uplift.activities.artifacts.ArtifactAddresses;
import dev.uplift.activities.links.Tables;
import dev.uplift.activities.temporal.TemporalSettings;
import dev.uplift.activities.trust.CommandKeys;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Release;
import dev.uplift.protocol.Purpose;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.protocol.SigningKey;
import dev.uplift.protocol.TrustedKeys;
import dev.uplift.store.Database;
import dev.uplift.store.DatabaseSettings;
import dev.uplift.store.DeviceSpec;
import dev.uplift.store.Devices;
import dev.uplift.store.Expected;
import dev.uplift.store.NewRelease;
import dev.uplift.store.ReleaseRow;
import dev.uplift.store.Tenants;
import dev.uplift.temporaldev.Stack;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A server of ours in this process, on real NATS and real Temporal.
public final class World implements AutoCloseable {
  /// Long beside what a test does between two heartbeats, on a slow machine too.
  public static final Duration SILENT_AFTER = Duration.ofSeconds(20);

  public static final String PACKAGE = "os";

  /// The key of whoever makes releases; nobody checks it here.
  private static final SigningKey RELEASE_KEY = SigningKey.generate();

  private static final SigningKey COMMAND_KEY = SigningKey.generate();

  private static @Nullable World shared;

  private final Stack stack;
  private final Database database;
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final Wiring wiring;

  public World(Stack stack, DatabaseSettings settings) {
    this.stack = stack;
    this.database = Database.open(settings);
    this.wiring =
        new Wiring(
            new WiringSettings(
                TestServers.settings(stack),
                new TemporalSettings(stack.temporal().target(), stack.temporal().namespace()),
                CommandKeys.of(COMMAND_KEY),
                new ArtifactAddresses("http://127.0.0.1:1", "secret"),
                SILENT_AFTER,
                Duration.ofSeconds(1)),
            database,
            meters);
    fill();
  }

  /// One for all tests that leave it and its servers alone.
  public static synchronized World shared() {
    World world = shared;
    if (world == null) {
      world = new World(TestServers.shared(), DatabaseSettings.inMemory()).works();
      shared = world;
    }
    return world;
  }

  static synchronized void closeShared() {
    if (shared != null) {
      shared.close();
      shared.stack.close();
    }
  }

  private void fill() {
    Tenants tenants = new Tenants(database, Clock.systemUTC());
    tenants.put(TestServers.TENANT, "");
    tenants.put(TestServers.OTHER_TENANT, "");
    release("1.4.0", 140);
    release("1.5.0", 150);
  }

  private void release(String version, long sequence) {
    ReleaseManifest manifest =
        new ReleaseManifest(
            PACKAGE,
            "simulated",
            version,
            sequence,
            Optional.of(new ReleaseManifest.Artifact(3, "ab".repeat(32))),
            new TreeMap<>(),
            List.of(),
            Instant.EPOCH);
    byte[] text = manifest.write();
    tables()
        .releases()
        .put(
            new NewRelease(
                TestServers.TENANT,
                new Release(PACKAGE, version),
                manifest.kind(),
                sequence,
                new String(text, StandardCharsets.UTF_8),
                RELEASE_KEY.sign(Purpose.RELEASE, text) + "\n",
                Optional.of(new ReleaseRow.Artifact("ab".repeat(32), 3)),
                Instant.EPOCH));
  }

  public void register(DeviceId device, List<HostId> hosts) {
    new Devices(database, Clock.systemUTC())
        .put(new DeviceSpec(device, hosts, Map.of(), ZoneOffset.UTC), Expected.anything());
  }

  public void hold(DeviceId device, String reason, String by) {
    tables().devices().hold(device, reason, by, Optional.empty());
  }

  /// Joins in the work.
  public World works() {
    wiring.startWorker();
    awaitUp();
    return this;
  }

  public void awaitUp() {
    await().atMost(Duration.ofSeconds(75)).until(() -> wiring.nats().state().up());
  }

  /// How many messages of a kind were refused.
  public double refused(String kind) {
    return meters.counter("uplift.messages.refused", "kind", kind).count();
  }

  public Stack stack() {
    return stack;
  }

  public Wiring wiring() {
    return wiring;
  }

  public Tables tables() {
    return Tables.of(database);
  }

  /// What agents trust.
  public static TrustedKeys trustedKeys() {
    return TrustedKeys.of(1, List.of(COMMAND_KEY.trusted()));
  }

  @Override
  public void close() {
    wiring.close();
    database.close();
  }
}
