package dev.uplift.activities.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.TestServers;
import dev.uplift.protocol.Subjects;
import dev.uplift.temporaldev.Stack;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class StreamsTest {
  private final Stack stack = TestServers.open();
  private final NatsLink link = new NatsLink(TestServers.settings(stack), new SteadyClock());
  private final Streams streams = new Streams(1);

  @BeforeEach
  void start() {
    stack.nats().start();
    link.attach(streams);
    link.start();
    await().until(() -> link.state().up());
  }

  @AfterEach
  void stop() {
    link.close();
    stack.close();
  }

  @Test
  void keepWhatIsPromised() throws Exception {
    StreamConfiguration commands = configuration(Subjects.CMD);
    StreamConfiguration events = configuration(Subjects.EVT);
    StreamConfiguration infos = configuration(Subjects.STATE);
    ConsumerConfiguration bridge =
        management().getConsumerInfo(Subjects.EVT, Subjects.BRIDGE).getConsumerConfiguration();

    assertThat(commands.getMaxMsgsPerSubject()).isEqualTo(1);
    assertThat(commands.getMaxAge()).isEqualTo(Duration.ofDays(30));
    assertThat(commands.getMaximumMessageSize()).isEqualTo(32 * 1024);
    assertThat(events.getMaxMsgsPerSubject()).isEqualTo(1000);
    assertThat(events.getMaxAge()).isEqualTo(Duration.ofDays(21));
    assertThat(events.getDenyPurge()).isTrue();
    assertThat(infos.getMaxMsgsPerSubject()).isEqualTo(1);
    assertThat(infos.getMaxAge()).isZero();
    assertThat(bridge.getMaxDeliver()).as("no answer is ever dropped").isEqualTo(-1);
  }

  @Test
  void whatBreaksAPromiseIsPutRightAndWhatIsTheOperatorsStays() throws Exception {
    management()
        .updateStream(
            StreamConfiguration.builder(configuration(Subjects.CMD))
                .maxAge(Duration.ofHours(1))
                .maxBytes(1 << 20)
                .build());

    streams.attach(link.connection());

    assertThat(configuration(Subjects.CMD).getMaxAge()).isEqualTo(Duration.ofDays(30));
    assertThat(configuration(Subjects.CMD).getMaxBytes()).isEqualTo(1 << 20);
  }

  @Test
  void areThereAgainAfterAServerThatLostEverything() throws Exception {
    management().deleteStream(Subjects.CMD);

    streams.attach(link.connection());

    assertThat(configuration(Subjects.CMD).getSubjects()).containsExactly(Subjects.ALL_COMMANDS);
  }

  private JetStreamManagement management() throws Exception {
    return link.connection().jetStreamManagement();
  }

  private StreamConfiguration configuration(String stream) throws Exception {
    return management().getStreamInfo(stream).getConfiguration();
  }
}
