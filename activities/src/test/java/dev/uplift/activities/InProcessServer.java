package dev.uplift.activities;

import static org.awaitility.Awaitility.await;

import dev.uplift.activities.temporal.RequestSeal;
import dev.uplift.activities.temporal.StepTimeoutResolver;
import dev.uplift.activities.temporal.TemporalSettings;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.presence.OutageRule;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.protocol.signature.SignatureDomain;
import dev.uplift.protocol.signature.SigningKey;
import dev.uplift.protocol.signature.TrustedKeys;
import dev.uplift.services.Repositories;
import dev.uplift.services.ServerIntervals;
import dev.uplift.services.TestStacks;
import dev.uplift.services.archive.ArchiveSettings;
import dev.uplift.services.artifacts.ArtifactUrlSigner;
import dev.uplift.services.messaging.NatsConnection;
import dev.uplift.services.tracing.TracingSettings;
import dev.uplift.services.trust.CommandKeys;
import dev.uplift.services.webhook.SecretEncryption;
import dev.uplift.services.webhook.WebhookSettings;
import dev.uplift.store.Database;
import dev.uplift.store.DatabaseSettings;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.DeviceSpec;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.release.NewRelease;
import dev.uplift.store.release.ReleaseRow;
import dev.uplift.store.tenant.TenantRepository;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.workflows.device.UpgradeTimeouts;
import dev.uplift.workflows.rollout.RolloutTimeouts;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micronaut.context.ApplicationContext;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// An Uplift server in this process, on real NATS and real Temporal.
public final class InProcessServer implements AutoCloseable {
  /// Longer than any test takes between two heartbeats, even on a slow machine.
  public static final Duration SILENT_AFTER = Duration.ofSeconds(20);

  /// Suspects no outage. Most hosts of a test fall silent together when it ends, and for hours after an outage a server
  /// concludes nothing from the silence of a host that it has never heard.
  private static final OutageRule NO_OUTAGES =
      new OutageRule(OutageRule.DEFAULTS.minHosts(), 100, OutageRule.DEFAULTS.limit());

  public static final String PACKAGE = "os";

  /// The key of releases, which is not checked here.
  private static final SigningKey RELEASE_KEY = SigningKey.generate();

  private static final SigningKey COMMAND_KEY = SigningKey.generate();

  private static @Nullable InProcessServer shared;

  private final Stack stack;
  private final Database database;
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final ApplicationContext context;
  private final ServerLifecycle lifecycle;

  public InProcessServer(Stack stack, DatabaseSettings settings) {
    this.stack = stack;
    this.database = Database.open(settings);
    this.context =
        ApplicationContext.builder()
            .deduceEnvironment(false)
            .enableDefaultPropertySources(false)
            .banner(false)
            .singletons(
                database,
                meters,
                TestStacks.natsSettings(stack),
                new TemporalSettings(stack.temporal().target(), stack.temporal().namespace()),
                new RequestSeal("secret"),
                CommandKeys.of(COMMAND_KEY),
                new ArtifactUrlSigner("http://127.0.0.1:1", "secret"),
                new SecretEncryption("secret"),
                new WebhookSettings(true, Duration.ofHours(24)),
                new ServerIntervals(SILENT_AFTER, Duration.ofSeconds(1), NO_OUTAGES),
                UpgradeTimeouts.DEFAULTS,
                StepTimeoutResolver.Bound.DEFAULT,
                RolloutTimeouts.DEFAULTS,
                ArchiveSettings.NONE,
                TracingSettings.OFF)
            .singletons(database.repositories())
            .start();
    this.lifecycle = context.getBean(ServerLifecycle.class);
    lifecycle.start();
    insertTestData();
  }

  /// Returns one for all tests that do not stop it or its servers.
  public static synchronized InProcessServer shared() {
    InProcessServer server = shared;
    if (server == null) {
      server = new InProcessServer(TestStacks.shared(), DatabaseSettings.h2InMemory()).startWorker();
      shared = server;
    }
    return server;
  }

  static synchronized void closeShared() {
    if (shared != null) {
      shared.close();
      shared.stack.close();
    }
  }

  private void insertTestData() {
    TenantRepository tenantRepository = database.repository(TenantRepository.class);
    tenantRepository.put(TestStacks.TENANT, "");
    tenantRepository.put(TestStacks.OTHER_TENANT, "");
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
    repositories()
        .releases()
        .put(
            new NewRelease(
                TestStacks.TENANT,
                new Release(PACKAGE, version),
                manifest.kind(),
                sequence,
                new String(text, StandardCharsets.UTF_8),
                RELEASE_KEY.sign(SignatureDomain.RELEASE, text) + "\n",
                Optional.of(new ReleaseRow.Artifact("ab".repeat(32), 3)),
                Instant.EPOCH));
  }

  public void register(DeviceId device, List<HostId> hosts) {
    database
        .repository(DeviceRepository.class)
        .put(new DeviceSpec(device, hosts, Map.of(), ZoneOffset.UTC), Precondition.anything());
  }

  public void hold(DeviceId device, String reason, String by) {
    repositories().devices().hold(device, reason, by, Optional.empty());
  }

  /// Starts the worker.
  public InProcessServer startWorker() {
    lifecycle.startWorker();
    awaitConnected();
    return this;
  }

  public void awaitConnected() {
    await().atMost(Duration.ofSeconds(75)).until(() -> bean(NatsConnection.class).status().connected());
  }

  /// Returns the number of rejected messages of a kind.
  public double rejectedCount(String kind) {
    return meters.counter("uplift.messages.rejected", "kind", kind).count();
  }

  public Stack stack() {
    return stack;
  }

  public <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  public Repositories repositories() {
    return bean(Repositories.class);
  }

  /// Returns the keys that agents trust.
  public static TrustedKeys trustedKeys() {
    return TrustedKeys.of(1, List.of(COMMAND_KEY.trustedKey()));
  }

  @Override
  public void close() {
    context.close();
  }
}
