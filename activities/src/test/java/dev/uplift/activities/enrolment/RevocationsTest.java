package dev.uplift.activities.enrolment;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.TestServers;
import dev.uplift.activities.nats.NatsLink;
import dev.uplift.activities.nats.NatsSettings;
import dev.uplift.activities.nats.SteadyClock;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.protocol.Fields;
import dev.uplift.protocol.nats.Credentials;
import dev.uplift.protocol.nats.Nkey;
import dev.uplift.protocol.nats.Ticket;
import dev.uplift.protocol.nats.Tickets;
import dev.uplift.store.Database;
import dev.uplift.store.DatabaseSettings;
import dev.uplift.store.DeviceSpec;
import dev.uplift.store.Devices;
import dev.uplift.store.Enrolments;
import dev.uplift.store.Expected;
import dev.uplift.store.Invitation;
import dev.uplift.store.RevocationList;
import dev.uplift.store.Tenants;
import dev.uplift.temporaldev.Stack;
import io.nats.client.Connection;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
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

/// Two servers that shut hosts out, on the same tables and one real NATS. One of them speaks to it
/// through a relay.
@Timeout(300)
final class RevocationsTest {
  private static final String TENANT = "acme";
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Stack STACK = TestServers.open();
  private static final AtomicInteger HOSTS = new AtomicInteger();
  private static final List<AutoCloseable> OPEN = new ArrayList<>();

  private static EnrolmentSettings settings;
  private static Relay relay;
  private static Side slow;
  private static Side quick;

  record Side(Enrolments enrolments, Revocations revocations) {
    static Side of(DatabaseSettings tables, String url) {
      Database database = Database.open(tables);
      OPEN.add(database);
      var enrolments = new Enrolments(database, InstantSource.system());
      var link = new NatsLink(NatsSettings.of(url, settings.system()), new SteadyClock());
      var revocations = new Revocations(link, enrolments, settings, PATIENCE);
      link.attach(revocations);
      link.start();
      OPEN.addFirst(link);
      await().atMost(PATIENCE).until(() -> link.state().up());
      return new Side(enrolments, revocations);
    }

    void revoke(Nkey key) {
      enrolments.revoke(TENANT, host(key), "ann");
    }
  }

  @BeforeAll
  static void start() throws Exception {
    STACK.nats().start();
    Path folder = STACK.nats().realm().keys().enrolment();
    settings = EnrolmentSettings.read(folder, "http://127.0.0.1:1", STACK.nats().url(), "");
    relay = new Relay(URI.create(STACK.nats().url()));
    DatabaseSettings tables = DatabaseSettings.inMemory();
    slow = Side.of(tables, relay.url());
    quick = Side.of(tables, STACK.nats().url());
    new Tenants((Database) OPEN.getLast(), InstantSource.system()).put(TENANT, "");
  }

  @AfterAll
  static void stop() throws Exception {
    for (AutoCloseable each : OPEN) {
      each.close();
    }
    relay.close();
    STACK.close();
  }

  /// Of a host that has joined.
  private static Nkey joined() {
    Nkey key = Nkey.generate(Nkey.Kind.USER);
    Instant later = Instant.now().plus(Duration.ofDays(1));
    var devices = new Devices((Database) OPEN.getLast(), InstantSource.system());
    HostId host = host(key);
    var device = new DeviceId(TENANT, host.value());
    devices.put(
        new DeviceSpec(device, List.of(host), Map.of(), ZoneId.of("UTC")), Expected.absent());
    quick.enrolments().invite(new Invitation(TENANT, host, key.name(), "ann", later));
    quick.enrolments().join(TENANT, key.name(), key.name(), later);
    return key;
  }

  private static HostId host(Nkey key) {
    return new HostId("h-" + key.name().toLowerCase(Locale.ROOT).substring(1, 30));
  }

  private static boolean isLetIn(Nkey key) {
    String account = Fields.of(Ticket.claims(settings.account())).text("sub");
    Instant now = Instant.now();
    String ticket =
        new Tickets(account, now)
            .host(key.name(), TENANT, host(key).value(), now.plusSeconds(3600))
            .signedBy(settings.hosts());
    return STACK.nats().letsIn(new Credentials(ticket, key));
  }

  private static Connection system() throws Exception {
    return Nats.connect(
        Options.builder()
            .server(STACK.nats().url())
            .authHandler(Nats.credentials(settings.system().toString()))
            .build());
  }

  @Test
  void noOlderListComesAfterANewerOneHoweverSlowTheServerIsThatBringsIt() throws Exception {
    Nkey early = joined();
    Nkey late = joined();
    assertThat(isLetIn(early)).isTrue();
    assertThat(isLetIn(late)).isTrue();
    try (ExecutorService servers = Executors.newVirtualThreadPerTaskExecutor()) {
      slow.revoke(early);
      relay.keep();
      Future<?> older = servers.submit(slow.revocations()::bring);
      await().atMost(PATIENCE).until(() -> relay.keeps("CLAIMS.UPDATE"));
      quick.revoke(late);
      Future<?> newer = servers.submit(quick.revocations()::bring);
      // It awaits its turn. Did it not, it would be done by then.
      giveTime(newer);
      relay.letGo();
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
      // As it should be.
    }
  }

  @Test
  void aListFromBeforeThatComesAllTheSameIsPutRightInTheNextRound() throws Exception {
    Nkey key = joined();
    quick.revoke(key);
    quick.revocations().bring();
    assertThat(isLetIn(key)).isFalse();
    String old =
        AccountClaims.without(settings.account(), List.of(), settings.operator()).issued(1);
    Connection hung = system();
    assertThat(hung.request("$SYS.REQ.CLAIMS.UPDATE", old.getBytes(UTF_8), PATIENCE)).isNotNull();
    hung.close();
    assertThat(isLetIn(key)).isTrue();

    slow.revocations().bringAgain();

    assertThat(isLetIn(key)).isFalse();
  }

  @Test
  void aNewerListIsIssuedLaterAndTheSameOneIsTheSame() {
    RevocationList before = told();
    quick.revocations().bringAgain();
    slow.revocations().bring();
    assertThat(told()).isEqualTo(before);
    for (int times = 0; times < 3; times++) {
      quick.revoke(joined());
      slow.revocations().bring();
      RevocationList after = told();
      assertThat(after.issued()).isGreaterThan(before.issued());
      assertThat(after.digest()).isNotEqualTo(before.digest());
      before = after;
    }
  }

  private static RevocationList told() {
    var found = new ArrayList<RevocationList>();
    quick
        .enrolments()
        .tell((last, _) -> {
          found.add(last);
          return last;
        });
    return found.getLast();
  }

  @Test
  void whoIsShutOutByEitherOfTwoServersStaysOutWhileBothShutOutOthers() throws Exception {
    List<Nkey> keys = Stream.generate(RevocationsTest::joined).limit(32).toList();
    try (ExecutorService servers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Boolean>> all = new ArrayList<>();
      for (Nkey key : keys) {
        Side side = HOSTS.incrementAndGet() % 2 == 0 ? slow : quick;
        all.add(
            servers.submit(() -> {
              side.revoke(key);
              side.revocations().bring();
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
