package dev.uplift.services.trust;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.protocol.SignedTrustRoot;
import dev.uplift.protocol.Subjects;
import dev.uplift.protocol.signature.SigningKey;
import dev.uplift.services.TestStacks;
import dev.uplift.services.messaging.MonotonicClock;
import dev.uplift.services.messaging.NatsConnection;
import dev.uplift.services.messaging.StreamProvisioner;
import dev.uplift.store.trust.TrustRootRow;
import dev.uplift.temporaldev.stack.Stack;
import io.nats.client.Connection;
import io.nats.client.Message;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Publishes roots to a real nats-server.
final class TrustRootPublisherTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Stack stack = TestStacks.shared();
  private final NatsConnection nats = new NatsConnection(TestStacks.natsSettings(stack), new MonotonicClock());
  private final TenantFixture tenancy = new TenantFixture();
  private final TrustRootPublisher stream = new TrustRootPublisher(nats, tenancy.trustRoots());
  private Connection device;

  @BeforeEach
  void connect() throws Exception {
    nats.addInitializer(new StreamProvisioner(1));
    nats.start();
    await().atMost(PATIENCE).until(() -> nats.status().connected());
    device = TestStacks.connectAsDevice(stack, tenancy.name);
  }

  @AfterEach
  void close() throws Exception {
    device.close();
    nats.close();
    tenancy.close();
  }

  @Test
  void everyRootOfTheTableIsPublished() throws Exception {
    TrustRootRow first = tenancy.publish(SigningKey.generate());
    stream.publishMissing();
    TrustRootRow second = tenancy.publish(SigningKey.generate());
    stream.publishMissing();
    stream.publishMissing();

    assertThat(found(1)).isEqualTo(new SignedTrustRoot(first.document(), first.signature()));
    assertThat(found(2)).isEqualTo(new SignedTrustRoot(second.document(), second.signature()));
    assertThat(directGet(3).isStatusMessage()).isTrue();
  }

  @Test
  void anotherMessageInPlaceOfARootIsReplaced() throws Exception {
    nats.connection().jetStream().publish(Subjects.root(tenancy.name, 1), "in the way".getBytes(UTF_8));
    TrustRootRow first = tenancy.publish(SigningKey.generate());

    stream.publishMissing();

    assertThat(found(1)).isEqualTo(new SignedTrustRoot(first.document(), first.signature()));
  }

  private SignedTrustRoot found(long version) throws Exception {
    return SignedTrustRoot.read(directGet(version).getData());
  }

  private Message directGet(long version) throws Exception {
    return requireNonNull(device.request(Subjects.directGetRoot(tenancy.name, Long.toString(version)), null, PATIENCE));
  }
}
