package dev.uplift.services.enrolment;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.protocol.json.JsonObject;
import dev.uplift.protocol.nats.Credentials;
import dev.uplift.protocol.nats.NatsJwt;
import dev.uplift.protocol.nats.Nkey;
import dev.uplift.protocol.nats.UserJwtFactory;
import dev.uplift.services.TestStacks;
import dev.uplift.services.messaging.MonotonicClock;
import dev.uplift.services.messaging.NatsConnection;
import dev.uplift.services.messaging.NatsSettings;
import dev.uplift.store.Database;
import dev.uplift.store.DatabaseSettings;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.DeviceSpec;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.enrolment.EnrolmentRepository;
import dev.uplift.store.enrolment.EnrolmentToken;
import dev.uplift.store.enrolment.RevocationList;
import dev.uplift.store.tenant.TenantRepository;
import dev.uplift.temporaldev.stack.Stack;
import io.nats.client.Connection;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Two servers that revoke hosts, on the same tables and one real NATS. One of them is connected through a proxy.
@Timeout(300)
final class RevocationPublisherTest {
  private static final String TENANT = "acme";
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Stack STACK = TestStacks.open();
  private static final AtomicInteger HOSTS = new AtomicInteger();
  private static final List<AutoCloseable> OPEN = new ArrayList<>();

  private static EnrolmentSettings settings;
  private static PausableProxy relay;
  private static PublishingServer slow;
  private static PublishingServer quick;

  record PublishingServer(EnrolmentRepository enrolments, RevocationPublisher revocations) {
    static PublishingServer of(DatabaseSettings tables, String url) {
      Database database = Database.open(tables);
      OPEN.add(database);
      var enrolmentRepository = database.repository(EnrolmentRepository.class);
      var nats = new NatsConnection(NatsSettings.of(url, settings.systemCredentials()), new MonotonicClock());
      var revocationPublisher =
          new RevocationPublisher(nats, enrolmentRepository, settings, PATIENCE, Duration.ofMinutes(1));
      nats.addInitializer(revocationPublisher);
      nats.start();
      OPEN.addFirst(nats);
      await().atMost(PATIENCE).until(() -> nats.status().connected());
      return new PublishingServer(enrolmentRepository, revocationPublisher);
    }

    void revoke(Nkey key) {
      enrolments.revoke(TENANT, host(key), "ann");
    }
  }

  @BeforeAll
  static void start() throws Exception {
    STACK.nats().start();
    Path folder = STACK.nats().operator().keyFolder().enrolmentFolder();
    settings = EnrolmentSettings.read(folder, "http://127.0.0.1:1", STACK.nats().url(), "");
    relay = new PausableProxy(URI.create(STACK.nats().url()));
    DatabaseSettings tables = DatabaseSettings.h2InMemory();
    slow = PublishingServer.of(new DatabaseSettings(tables.url(), tables.user(), tables.password(), 1), relay.url());
    quick = PublishingServer.of(tables, STACK.nats().url());
    ((Database) OPEN.getLast()).repository(TenantRepository.class).put(TENANT, "");
  }

  @AfterAll
  static void stop() throws Exception {
    for (AutoCloseable each : OPEN) {
      each.close();
    }
    relay.close();
    STACK.close();
  }

  /// Returns the key of a host that has joined.
  private static Nkey joined() {
    Nkey key = Nkey.generate(Nkey.Kind.USER);
    Instant later = Instant.now().plus(Duration.ofDays(1));
    var deviceRepository = ((Database) OPEN.getLast()).repository(DeviceRepository.class);
    HostId host = host(key);
    var device = new DeviceId(TENANT, host.value());
    deviceRepository.put(new DeviceSpec(device, List.of(host), Map.of(), ZoneId.of("UTC")), Precondition.absent());
    quick.enrolments().createToken(new EnrolmentToken(TENANT, host, key.publicKey(), "ann", later));
    quick.enrolments().enrol(TENANT, key.publicKey(), key.publicKey(), later);
    return key;
  }

  private static HostId host(Nkey key) {
    return new HostId("h-" + key.publicKey().toLowerCase(Locale.ROOT).substring(1, 30));
  }

  private static boolean isLetIn(Nkey key) {
    String account = JsonObject.parse(NatsJwt.claims(settings.deviceAccount())).string("sub");
    Instant now = Instant.now();
    String ticket =
        new UserJwtFactory(account, now)
            .host(key.publicKey(), TENANT, host(key).value(), now.plusSeconds(3600))
            .sign(settings.hostSigningKey());
    return STACK.nats().accepts(new Credentials(ticket, key));
  }

  private static Connection system() throws Exception {
    return Nats.connect(
        Options.builder()
            .server(STACK.nats().url())
            .authHandler(Nats.credentials(settings.systemCredentials().toString()))
            .build());
  }

  @Test
  void noOlderListFollowsANewerOneHoweverSlowItsServerIs() throws Exception {
    Nkey early = joined();
    Nkey late = joined();
    assertThat(isLetIn(early)).isTrue();
    assertThat(isLetIn(late)).isTrue();
    try (ExecutorService servers = Executors.newVirtualThreadPerTaskExecutor()) {
      slow.revoke(early);
      relay.pause();
      Future<?> older = servers.submit(slow.revocations()::publish);
      await().atMost(PATIENCE).until(() -> relay.paused("CLAIMS.UPDATE"));
      quick.revoke(late);
      Future<?> newer = servers.submit(quick.revocations()::publish);
      // It waits for its turn; otherwise it would have finished by then.
      giveTime(newer);
      relay.resume();
      older.get(60, TimeUnit.SECONDS);
      newer.get(60, TimeUnit.SECONDS);
    }

    assertThat(isLetIn(early)).isFalse();
    assertThat(isLetIn(late)).isFalse();
  }

  private static void giveTime(Future<?> work) throws ExecutionException, InterruptedException {
    try {
      work.get(500, TimeUnit.MILLISECONDS);
    } catch (TimeoutException _) {
      // Expected.
    }
  }

  @Test
  void anOlderListIsCorrectedByTheNextPublication() throws Exception {
    Nkey key = joined();
    quick.revoke(key);
    quick.revocations().publish();
    assertThat(isLetIn(key)).isFalse();
    String old =
        AccountClaims.withRevocations(settings.deviceAccount(), List.of(), settings.operatorSigningKey()).signedAt(1);
    Connection hung = system();
    assertThat(hung.request("$SYS.REQ.CLAIMS.UPDATE", old.getBytes(UTF_8), PATIENCE)).isNotNull();
    hung.close();
    assertThat(isLetIn(key)).isTrue();

    slow.revocations().republish();

    assertThat(isLetIn(key)).isFalse();
  }

  @Test
  void aNewListHasALaterIssueTimeAndAnUnchangedOneTheSameBytes() {
    RevocationList before = told();
    quick.revocations().republish();
    slow.revocations().publish();
    assertThat(told()).isEqualTo(before);
    for (int times = 0; times < 3; times++) {
      quick.revoke(joined());
      slow.revocations().publish();
      RevocationList after = told();
      assertThat(after.issuedAtSecond()).isGreaterThan(before.issuedAtSecond());
      assertThat(after.digest()).isNotEqualTo(before.digest());
      before = after;
    }
  }

  private static RevocationList told() {
    RevocationList last = quick.enrolments().beginPublication("test", PATIENCE).orElseThrow().last();
    quick.enrolments().abandonPublication("test");
    return last;
  }

  @Test
  void neitherALockNorAConnectionIsHeldWhileNatsIsAsked() throws Exception {
    Nkey key = joined();
    slow.revoke(key);
    try (ExecutorService servers = Executors.newVirtualThreadPerTaskExecutor()) {
      relay.pause();
      Future<?> publication = servers.submit(slow.revocations()::publish);
      await().atMost(PATIENCE).until(() -> relay.paused("CLAIMS.UPDATE"));

      // Its only connection is free, and so is the row: this changes it.
      assertThat(slow.enrolments().listRevoked()).isNotEmpty();
      slow.enrolments().abandonPublication("another");
      assertThat(slow.enrolments().beginPublication("other", PATIENCE)).isEmpty();
      assertThat(publication.isDone()).isFalse();
      relay.resume();
      publication.get(60, TimeUnit.SECONDS);
    }
    assertThat(isLetIn(key)).isFalse();
  }

  @Test
  void aHostRevokedByEitherServerStaysRevokedWhileBothRevokeOthers() throws Exception {
    List<Nkey> keys = Stream.generate(RevocationPublisherTest::joined).limit(32).toList();
    try (ExecutorService servers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Boolean>> all = new ArrayList<>();
      for (Nkey key : keys) {
        PublishingServer publishingServer = HOSTS.incrementAndGet() % 2 == 0 ? slow : quick;
        all.add(
            servers.submit(() -> {
              publishingServer.revoke(key);
              publishingServer.revocations().publish();
              return isLetIn(key);
            }));
      }
      for (Future<Boolean> one : all) {
        assertThat(one.get(120, TimeUnit.SECONDS)).isFalse();
      }
    }
    for (Nkey key : keys) {
      assertThat(isLetIn(key)).isFalse();
    }
  }
}
