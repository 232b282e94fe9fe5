package dev.uplift.services.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.uplift.cli.nats.NatsKeyFolder;
import dev.uplift.cli.nats.RotatableNatsKey;
import dev.uplift.protocol.nats.Credentials;
import dev.uplift.protocol.nats.Nkey;
import dev.uplift.services.TestStacks;
import dev.uplift.temporaldev.stack.Stack;
import io.nats.client.Connection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

final class NatsConnectionTest {
  @TempDir Path folder;

  private final Stack stack = TestStacks.open();
  private final AtomicInteger initialized = new AtomicInteger();
  private NatsConnection nats;

  @BeforeEach
  void prepare() throws IOException {
    copyCredentials();
    nats = new NatsConnection(TestStacks.natsSettings(stack, credentials()), new MonotonicClock());
    nats.addInitializer(_ -> initialized.incrementAndGet());
  }

  @AfterEach
  void stop() {
    nats.close();
    stack.close();
  }

  @Test
  void startsWithoutAServerAndConnectsOnceItIsUp() {
    nats.start();
    assertThat(nats.status().connected()).isFalse();
    assertThatThrownBy(nats::connection).isInstanceOf(NatsUnavailable.class);

    stack.nats().start();

    awaitUp();
    assertThat(nats.connection().getStatus()).isEqualTo(Connection.Status.CONNECTED);
    assertThat(initialized).hasValue(1);
  }

  @Test
  void statusHasTheTimeOfTheLastChange() {
    stack.nats().start();
    nats.start();
    awaitUp();
    ConnectionStatus before = nats.status();

    stack.nats().kill();
    await().until(() -> !nats.status().connected());
    ConnectionStatus down = nats.status();
    assertThat(nats.failure()).map(ConnectionFailure::text).hasValue("the connection was lost");
    stack.nats().start();
    awaitUp();

    assertThat(down.since()).isAfter(before.since());
    assertThat(nats.status().since()).isAfter(down.since());
    assertThat(initialized).as("initialized again").hasValue(2);
  }

  @Test
  void isUpOnlyOnceAllInitializersSucceeded() {
    AtomicInteger tries = new AtomicInteger();
    var mayBeReady = new CountDownLatch(1);
    nats.addInitializer(_ -> {
      tries.incrementAndGet();
      if (mayBeReady.getCount() > 0) {
        throw new IOException("not yet");
      }
    });
    stack.nats().start();
    nats.start();

    await().until(() -> nats.failure().isPresent());
    assertThat(nats.failure())
        .hasValue(
            new ConnectionFailure(
                ConnectionFailure.Kind.NOT_READY, "NATS is there but not ready: java.io.IOException: not yet"));
    assertThatThrownBy(nats::connection).hasMessageContaining("not yet");
    mayBeReady.countDown();
    awaitUp();

    assertThat(tries).hasValueGreaterThan(1);
    assertThat(nats.failure()).isEmpty();
  }

  @Test
  void reconnectsAfterTheClientHasGivenUpForGood() throws IOException {
    stack.nats().start();
    nats.start();
    awaitUp();
    Connection first = nats.connection();
    stack.nats().stop();
    Credentials right = Credentials.read(credentials());
    var wrong = new Credentials(right.jwt(), Nkey.generate(Nkey.Kind.USER));
    Files.writeString(credentials(), wrong.format());
    stack.nats().start();
    awaitSoon(() -> first.getStatus() == Connection.Status.CLOSED);

    copyCredentials();

    awaitUp();
    assertThat(nats.connection()).isNotSameAs(first);
  }

  @Test
  void theNextLoginIsWithCredentialsThatWereRotatedMeanwhile() throws IOException {
    stack.nats().start();
    nats.start();
    awaitUp();
    Credentials before = Credentials.read(credentials());
    NatsKeyFolder keys = stack.nats().operator().keyFolder();

    keys.rotate(RotatableNatsKey.SERVER);
    copyCredentials();
    assertThat(nats.status().connected()).as("the open connection stays").isTrue();

    keys.retire(RotatableNatsKey.SERVER);
    stack.nats().stop();
    await().until(() -> !nats.status().connected());
    // Takes the claims that revoke the old ones, as a new nats-server does.
    Files.delete(stack.nats().folder().resolve("accounts").resolve(keys.accountPublicKey("streams") + ".jwt"));
    stack.nats().start();

    awaitUp();
    assertThat(stack.nats().accepts(before)).as("the ones before").isFalse();
  }

  @Test
  void aPasswordInAnAddressIsNeitherLoggedNorTheReasonThatIsGiven() {
    var appender = new ListAppender<ILoggingEvent>();
    appender.list = new CopyOnWriteArrayList<>();
    appender.start();
    Logger logger = (Logger) LoggerFactory.getLogger(NatsConnection.class);
    logger.setLevel(Level.DEBUG);
    logger.addAppender(appender);
    var settings =
        new NatsSettings(
            "nats://ann:hunter2@127.0.0.1:1,nats://t0ken@127.0.0.1:2", Optional.empty(), Optional.empty(), 1);
    try (var unreachable = new NatsConnection(settings, new MonotonicClock())) {
      unreachable.start();
      awaitSoon(() -> logged(appender).contains("cannot be reached"));
      await().until(() -> unreachable.failure().isPresent());
      assertThat(unreachable.failure().orElseThrow().text()).contains("127.0.0.1:2").doesNotContain("hunter2", "t0ken");
    } finally {
      logger.detachAppender(appender);
      logger.setLevel(null);
    }

    assertThat(logged(appender))
        .contains("NATS at nats://…@127.0.0.1:1,nats://…@127.0.0.1:2 cannot be reached")
        .doesNotContain("hunter2", "t0ken");
  }

  private static String logged(ListAppender<ILoggingEvent> appender) {
    return String.join("\n", appender.list.stream().map(ILoggingEvent::getFormattedMessage).toList());
  }

  private Path credentials() {
    return folder.resolve("credentials");
  }

  private void copyCredentials() throws IOException {
    Files.writeString(credentials(), Files.readString(stack.nats().operator().serverCredentials()));
  }

  private void awaitUp() {
    awaitSoon(() -> nats.status().connected());
  }

  /// Awaits longer than the 5 seconds after which a rejected login is reported.
  private static void awaitSoon(Callable<Boolean> met) {
    await().atMost(Duration.ofSeconds(75)).until(met);
  }
}
