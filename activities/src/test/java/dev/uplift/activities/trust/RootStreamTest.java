package dev.uplift.activities.trust;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.TestServers;
import dev.uplift.activities.nats.NatsLink;
import dev.uplift.activities.nats.SteadyClock;
import dev.uplift.activities.nats.Streams;
import dev.uplift.protocol.SignedRoot;
import dev.uplift.protocol.SigningKey;
import dev.uplift.protocol.Subjects;
import dev.uplift.store.RootRow;
import dev.uplift.temporaldev.Stack;
import io.nats.client.Connection;
import io.nats.client.Message;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Roots as hosts find them, on a real nats-server.
final class RootStreamTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Stack stack = TestServers.shared();
  private final NatsLink link = new NatsLink(TestServers.settings(stack), new SteadyClock());
  private final Tenancy tenancy = new Tenancy();
  private final RootStream stream = new RootStream(link, tenancy.roots());
  private Connection device;

  @BeforeEach
  void connect() throws Exception {
    link.attach(new Streams(1));
    link.start();
    await().atMost(PATIENCE).until(() -> link.state().up());
    device = TestServers.connectAsDevice(stack, tenancy.name);
  }

  @AfterEach
  void close() throws Exception {
    device.close();
    link.close();
    tenancy.close();
  }

  @Test
  void everyRootOfTheTableIsWhereHostsFindIt() throws Exception {
    RootRow first = tenancy.publish(SigningKey.generate());
    stream.bring();
    RootRow second = tenancy.publish(SigningKey.generate());
    stream.bring();
    stream.bring();

    assertThat(found(1)).isEqualTo(new SignedRoot(first.text(), first.signature()));
    assertThat(found(2)).isEqualTo(new SignedRoot(second.text(), second.signature()));
    assertThat(ask(3).isStatusMessage()).isTrue();
  }

  @Test
  void whatSomebodyElseHasPutInItsPlaceIsPutRight() throws Exception {
    link.connection()
        .jetStream()
        .publish(Subjects.root(tenancy.name, 1), "in the way".getBytes(UTF_8));
    RootRow first = tenancy.publish(SigningKey.generate());

    stream.bring();

    assertThat(found(1)).isEqualTo(new SignedRoot(first.text(), first.signature()));
  }

  private SignedRoot found(long version) throws Exception {
    return SignedRoot.read(ask(version).getData());
  }

  private Message ask(long version) throws Exception {
    return requireNonNull(
        device.request(
            Subjects.directGetTrust(tenancy.name, Long.toString(version)), null, PATIENCE));
  }
}
