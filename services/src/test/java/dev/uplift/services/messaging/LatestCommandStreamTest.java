package dev.uplift.services.messaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.uplift.protocol.Command;
import dev.uplift.protocol.Subjects;
import dev.uplift.services.TestCommands;
import dev.uplift.services.TestStacks;
import dev.uplift.services.tracing.TraceHeader;
import dev.uplift.temporaldev.stack.Stack;
import io.nats.client.Connection;
import io.nats.client.Message;
import io.opentelemetry.context.Scope;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class LatestCommandStreamTest {
  private final Stack stack = TestStacks.shared();
  private final NatsConnection nats = new NatsConnection(TestStacks.natsSettings(stack), new MonotonicClock());
  private final LatestCommandStream commandStream = new LatestCommandStream(nats);
  private final String name = UUID.randomUUID().toString();
  private final String host = Subjects.hostAddress(TestStacks.TENANT, name);
  private final AtomicInteger rung = new AtomicInteger();
  private Connection device;

  @BeforeEach
  void connect() throws Exception {
    nats.addInitializer(new StreamProvisioner(1));
    nats.start();
    await().until(() -> nats.status().connected());
    device = TestStacks.connectAsDevice(stack, TestStacks.TENANT);
    device.createDispatcher(_ -> rung.incrementAndGet()).subscribe(Subjects.command(host));
    device.flush(Duration.ofSeconds(60));
  }

  @AfterEach
  void close() throws Exception {
    device.close();
    nats.close();
  }

  @Test
  void holdsTheNewestCommandWithItsSignature() throws Exception {
    commandStream.publish(host, message("first", 1));
    commandStream.publish(host, message("second", 2));

    Message found = look();
    assertThat(Command.read(found.getData()).id()).isEqualTo("second");
    assertThat(found.getHeaders().getFirst(Command.SIGNATURE_HEADER)).isEqualTo("key.second");
    awaitRung(2);
  }

  @Test
  void aCommandNamesTheSpanInWhichItIsPublishedAndNoneWithoutOne() throws Exception {
    String span = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    commandStream.publish(host, message("untraced", 1));
    assertThat(look().getHeaders().getFirst(Command.TRACE_HEADER)).isNull();
    try (Scope _ = TraceHeader.parse(span).makeCurrent()) {
      commandStream.publish(host, message("traced", 2));
    }

    assertThat(look().getHeaders().getFirst(Command.TRACE_HEADER)).isEqualTo(span);
    assertThat(TraceHeader.current()).isEmpty();
  }

  @Test
  void repeatedCommandNotifiesAgainAndStays() {
    long sequence = commandStream.publish(host, message("same", 1));

    assertThat(commandStream.publish(host, message("same", 1))).isEqualTo(sequence);

    awaitRung(2);
  }

  @Test
  void commandSignedWithAnotherKeyReplacesTheFirst() throws Exception {
    CommandMessage first = message("signed", 1);
    commandStream.publish(host, first);
    commandStream.publish(host, CommandMessage.of(first.body(), "other.signed"));

    assertThat(look().getHeaders().getFirst(Command.SIGNATURE_HEADER)).isEqualTo("other.signed");
    assertThat(new String(look().getData(), UTF_8)).isEqualTo(first.body());
  }

  @Test
  void olderCommandNeverReplacesANewerOne() throws Exception {
    commandStream.publish(host, message("newer", 2));

    assertThatThrownBy(() -> commandStream.publish(host, message("older", 1))).isInstanceOf(StaleEpoch.class);

    assertThat(Command.read(look().getData()).id()).isEqualTo("newer");
  }

  @Test
  void answeredCommandIsRemoved() throws Exception {
    commandStream.publish(host, message("done", 1));

    commandStream.purge(host, Set.of("done"));

    assertThat(look().getStatus().getCode()).isEqualTo(404);
  }

  @Test
  void newerCommandIsNotRemoved() throws Exception {
    commandStream.publish(host, message("done", 1));
    commandStream.publish(host, message("next", 2));

    commandStream.purge(host, Set.of("done"));

    assertThat(Command.read(look().getData()).id()).isEqualTo("next");
  }

  @Test
  void removedCommandCanBePublishedAgainAtOnce() throws Exception {
    commandStream.publish(host, message("again", 1));
    commandStream.purge(host, Set.of("again"));

    commandStream.publish(host, message("again", 1));

    assertThat(Command.read(look().getData()).id()).isEqualTo("again");
  }

  @Test
  void publishesDuringAConcurrentPurge() throws Exception {
    for (int epoch = 1; epoch <= 40; epoch++) {
      String before = "command-" + epoch;
      commandStream.publish(host, message(before, epoch));
      Thread emptying = Thread.ofVirtual().start(() -> commandStream.purge(host, Set.of(before)));

      commandStream.publish(host, message("next-" + epoch, epoch));

      emptying.join();
      assertThat(Command.read(look().getData()).id()).isEqualTo("next-" + epoch);
    }
  }

  @Test
  void malformedMessageIsReplaced() throws Exception {
    nats.connection().publish(Subjects.command(host), "{}".getBytes(UTF_8));
    awaitRung(1);

    commandStream.publish(host, message("good", 1));

    assertThat(Command.read(look().getData()).id()).isEqualTo("good");
  }

  private Message look() throws Exception {
    return requireNonNull(device.request(Subjects.directGetCommand(host), null, Duration.ofSeconds(60)));
  }

  private void awaitRung(int times) {
    await().until(() -> rung.get() == times);
  }

  private CommandMessage message(String id, long epoch) {
    return CommandMessage.of(new String(TestCommands.inspect(id, name, epoch).write(), UTF_8), "key." + id);
  }
}
