package dev.uplift.services.enrolment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.uplift.cli.nats.NatsKeyFolder;
import dev.uplift.cli.nats.RotatableNatsKey;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.protocol.nats.Credentials;
import dev.uplift.protocol.nats.Nkey;
import dev.uplift.protocol.nats.UserJwtFactory;
import dev.uplift.services.TestStacks;
import dev.uplift.services.messaging.MonotonicClock;
import dev.uplift.services.messaging.NatsConnection;
import dev.uplift.services.messaging.NatsSettings;
import dev.uplift.services.messaging.NatsUnavailable;
import dev.uplift.store.Database;
import dev.uplift.store.DatabaseSettings;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.DeviceSpec;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.enrolment.EnrolmentRepository;
import dev.uplift.store.enrolment.EnrolmentToken;
import dev.uplift.store.tenant.TenantRepository;
import dev.uplift.temporaldev.stack.Stack;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The keys of enrolment are exchanged in a server that runs, on a real NATS, which is reached through a proxy.
@Timeout(300)
final class EnrolmentReplacementTest {
  private static final String TENANT = "acme";
  private static final HostId HOST = new HostId("left");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Stack stack = TestStacks.open();
  private final Database database = Database.open(DatabaseSettings.h2InMemory());
  private final EnrolmentRepository enrolments = database.repository(EnrolmentRepository.class);
  private NatsKeyFolder keys;
  private PausableProxy relay;
  private EnrolmentSettings first;
  private NatsConnection nats;
  private RevocationPublisher publisher;

  @BeforeEach
  void start() throws Exception {
    stack.nats().start();
    keys = stack.nats().operator().keyFolder();
    relay = new PausableProxy(URI.create(stack.nats().url()));
    first = EnrolmentSettings.read(keys.enrolmentFolder(), "http://127.0.0.1:1", stack.nats().url(), "");
    nats =
        new NatsConnection(
            NatsSettings.of(relay.url(), first.systemCredentials()),
            first::readSystemCredentials,
            new MonotonicClock());
    publisher = new RevocationPublisher(nats, enrolments, first, Duration.ofSeconds(15), Duration.ofMinutes(5));
  }

  @AfterEach
  void close() throws Exception {
    publisher.close();
    relay.close();
    database.close();
    stack.close();
  }

  @Test
  void aKeyIsUsedOnceNatsHasTheClaimsThatNameIt() throws Exception {
    connect();
    keys.rotate(RotatableNatsKey.HOSTS_SIGNING);
    EnrolmentSettings next = first.readAgain("");
    Nkey host = Nkey.generate(Nkey.Kind.USER);

    try (ExecutorService server = Executors.newVirtualThreadPerTaskExecutor()) {
      relay.pause();
      Future<?> replaced = server.submit(() -> publisher.replace(next));
      await().atMost(PATIENCE).until(() -> relay.paused("CLAIMS.UPDATE"));
      assertThat(publisher.settings()).isSameAs(first);
      assertThat(isLetIn(host, next)).isFalse();
      relay.resume();
      replaced.get(60, TimeUnit.SECONDS);
    }

    assertThat(publisher.settings()).isSameAs(next);
    assertThat(isLetIn(host, next)).isTrue();
    assertThat(isLetIn(host, first)).as("signed before, and not retired").isTrue();

    keys.retire(RotatableNatsKey.HOSTS_SIGNING);
    publisher.replace(next.readAgain(""));

    assertThat(isLetIn(host, next)).isTrue();
    assertThat(isLetIn(host, first)).as("retired").isFalse();
  }

  @Test
  void whileNatsIsUnavailableTheKeyFromBeforeStaysInUse() throws Exception {
    keys.rotate(RotatableNatsKey.HOSTS_SIGNING);
    EnrolmentSettings next = first.readAgain("");

    assertThatThrownBy(() -> publisher.replace(next)).isInstanceOf(NatsUnavailable.class);
    assertThat(publisher.settings()).isSameAs(first);
    publisher.replace(first);

    connect();
    publisher.replace(next);
    assertThat(publisher.settings()).isSameAs(next);
  }

  @Test
  void aRevokedHostStaysRevoked() throws Exception {
    connect();
    Nkey host = joined();
    assertThat(isLetIn(host, first)).isTrue();
    enrolments.revoke(TENANT, HOST, "ann");

    keys.rotate(RotatableNatsKey.HOSTS_SIGNING);
    EnrolmentSettings next = first.readAgain("");
    publisher.replace(next);

    assertThat(isLetIn(host, first)).isFalse();
    assertThat(isLetIn(host, next)).isFalse();
    assertThat(isLetIn(Nkey.generate(Nkey.Kind.USER), next)).isTrue();
  }

  @Test
  void credentialsOfThePublisherThatAreRetiredAreExchangedMeanwhile() throws Exception {
    connect();
    Credentials before = Credentials.read(first.systemCredentials());
    keys.rotate(RotatableNatsKey.SYSTEM);
    keys.retire(RotatableNatsKey.SYSTEM);
    EnrolmentSettings next = first.readAgain("");

    await("all of it is published, the rest by its next connection")
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(NatsUnavailable.class)
        .until(() -> {
          publisher.replace(next);
          return publisher.settings().isSameAs(next);
        });

    await().atMost(PATIENCE).until(() -> nats.status().connected());
    assertThat(stack.nats().accepts(before)).isFalse();
    publisher.publish();
  }

  @Test
  void credentialsThatDoNotFitTheirClaimsLeaveThePublisherConnectedWithThoseFromBefore() throws Exception {
    Path file = first.systemCredentials();
    String old = Files.readString(file);
    keys.rotate(RotatableNatsKey.SYSTEM);
    connect();
    keys.retire(RotatableNatsKey.SYSTEM);
    publisher.replace(first.readAgain(""));

    Files.writeString(file, old);
    assertThatThrownBy(() -> first.readAgain("")).isInstanceOf(IOException.class);
    stack.nats().stop();
    await().atMost(PATIENCE).until(() -> !nats.status().connected());
    stack.nats().start();

    await().atMost(PATIENCE).until(() -> nats.status().connected());
    publisher.publish();
  }

  private void connect() {
    publisher.start();
    await().atMost(PATIENCE).until(() -> nats.status().connected());
  }

  private Nkey joined() {
    Nkey key = Nkey.generate(Nkey.Kind.USER);
    Instant later = Instant.now().plus(Duration.ofDays(1));
    database.repository(TenantRepository.class).put(TENANT, "");
    var device = new DeviceId(TENANT, "gate");
    database
        .repository(DeviceRepository.class)
        .put(new DeviceSpec(device, List.of(HOST), Map.of(), ZoneId.of("UTC")), Precondition.absent());
    enrolments.createToken(new EnrolmentToken(TENANT, HOST, key.publicKey(), "ann", later));
    enrolments.enrol(TENANT, key.publicKey(), key.publicKey(), later);
    return key;
  }

  /// Returns whether NATS lets in a host whose JWT was signed with the key of these settings.
  private boolean isLetIn(Nkey host, EnrolmentSettings signer) {
    Instant now = Instant.now();
    String jwt =
        new UserJwtFactory(signer.deviceAccountKey(), now)
            .host(host.publicKey(), TENANT, HOST.value(), now.plusSeconds(3600))
            .sign(signer.hostSigningKey());
    return stack.nats().accepts(new Credentials(jwt, host));
  }
}
