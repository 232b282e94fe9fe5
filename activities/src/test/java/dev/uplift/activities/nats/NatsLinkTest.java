package dev.uplift.activities.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.TestServers;
import dev.uplift.protocol.nats.Credentials;
import dev.uplift.protocol.nats.Nkey;
import dev.uplift.temporaldev.Stack;
import io.nats.client.Connection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NatsLinkTest {
  @TempDir Path folder;

  private final Stack stack = TestServers.open();
  private final AtomicInteger attached = new AtomicInteger();
  private NatsLink link;

  @BeforeEach
  void prepare() throws IOException {
    copyCredentials();
    link = new NatsLink(TestServers.settings(stack, credentials()), new SteadyClock());
    link.attach(_ -> attached.incrementAndGet());
  }

  @AfterEach
  void stop() {
    link.close();
    stack.close();
  }

  @Test
  void startsWithoutAServerAndComesUpWithIt() {
    link.start();
    assertThat(link.state().up()).isFalse();
    assertThatThrownBy(link::connection).isInstanceOf(NatsAway.class);

    stack.nats().start();

    awaitUp();
    assertThat(link.connection().getStatus()).isEqualTo(Connection.Status.CONNECTED);
    assertThat(attached).hasValue(1);
  }

  @Test
  void saysSinceWhenItIsDownAndSinceWhenItIsUpAgain() {
    stack.nats().start();
    link.start();
    awaitUp();
    LinkState before = link.state();

    stack.nats().kill();
    await().until(() -> !link.state().up());
    LinkState down = link.state();
    stack.nats().start();
    awaitUp();

    assertThat(down.since()).isAfter(before.since());
    assertThat(link.state().since()).isAfter(down.since());
    assertThat(attached).as("attached anew").hasValue(2);
  }

  @Test
  void isUpOnlyOnceAllIsAttached() {
    AtomicInteger tries = new AtomicInteger();
    link.attach(_ -> {
      if (tries.incrementAndGet() < 3) {
        throw new IOException("not yet");
      }
    });
    stack.nats().start();
    link.start();

    awaitUp();

    assertThat(tries).hasValue(3);
  }

  @Test
  void connectsAnewAfterTheClientHasGivenUpForGood() throws IOException {
    stack.nats().start();
    link.start();
    awaitUp();
    Connection first = link.connection();
    stack.nats().stop();
    Credentials right = Credentials.read(credentials());
    var wrong = new Credentials(right.jwt(), Nkey.generate(Nkey.Kind.USER));
    Files.writeString(credentials(), wrong.text());
    stack.nats().start();
    awaitSoon(() -> first.getStatus() == Connection.Status.CLOSED);

    copyCredentials();

    awaitUp();
    assertThat(link.connection()).isNotSameAs(first);
  }

  private Path credentials() {
    return folder.resolve("credentials");
  }

  private void copyCredentials() throws IOException {
    Files.writeString(credentials(), Files.readString(stack.nats().realm().server()));
  }

  private void awaitUp() {
    awaitSoon(() -> link.state().up());
  }

  /// A refused login is one only after 5 seconds.
  private static void awaitSoon(Callable<Boolean> met) {
    await().atMost(Duration.ofSeconds(75)).until(met);
  }
}
