package dev.uplift.activities.nats;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.TestServers;
import dev.uplift.protocol.Action;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.Subjects;
import dev.uplift.temporaldev.Stack;
import io.nats.client.Connection;
import io.nats.client.Message;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class CommandSlotTest {
  private final Stack stack = TestServers.shared();
  private final NatsLink link = new NatsLink(TestServers.settings(stack), new SteadyClock());
  private final CommandSlot slot = new CommandSlot(link);
  private final String name = UUID.randomUUID().toString();
  private final String host = Subjects.host(TestServers.TENANT, name);
  private final AtomicInteger rung = new AtomicInteger();
  private Connection device;

  @BeforeEach
  void connect() throws Exception {
    link.attach(new Streams(1));
    link.start();
    await().until(() -> link.state().up());
    device = TestServers.connectAsDevice(stack, TestServers.TENANT);
    device.createDispatcher(_ -> rung.incrementAndGet()).subscribe(Subjects.command(host));
    device.flush(Duration.ofSeconds(60));
  }

  @AfterEach
  void close() throws Exception {
    device.close();
    link.close();
  }

  @Test
  void holdsTheNewestCommandWithItsSignature() throws Exception {
    slot.put(host, letter("first", 1));
    slot.put(host, letter("second", 2));

    Message found = look();
    assertThat(Command.read(found.getData()).id()).isEqualTo("second");
    assertThat(found.getHeaders().getFirst(Command.SIGNATURE_HEADER)).isEqualTo("key.second");
    awaitRung(2);
  }

  @Test
  void sameCommandAgainRingsAgainAndStaysWhereItIs() {
    long sequence = slot.put(host, letter("same", 1));

    assertThat(slot.put(host, letter("same", 1))).isEqualTo(sequence);

    awaitRung(2);
  }

  @Test
  void sameCommandSignedByAnotherKeyTakesItsPlace() throws Exception {
    Letter first = letter("signed", 1);
    slot.put(host, first);
    slot.put(host, Letter.of(first.body(), "other.signed"));

    assertThat(look().getHeaders().getFirst(Command.SIGNATURE_HEADER)).isEqualTo("other.signed");
    assertThat(new String(look().getData(), UTF_8)).isEqualTo(first.body());
  }

  @Test
  void olderCommandNeverReplacesANewerOne() throws Exception {
    slot.put(host, letter("newer", 2));

    assertThatThrownBy(() -> slot.put(host, letter("older", 1))).isInstanceOf(Superseded.class);

    assertThat(Command.read(look().getData()).id()).isEqualTo("newer");
  }

  @Test
  void isEmptiedOfWhatIsDone() throws Exception {
    slot.put(host, letter("done", 1));

    slot.empty(host, Set.of("done"));

    assertThat(look().getStatus().getCode()).isEqualTo(404);
  }

  @Test
  void keepsACommandThatCameAfterTheOneThatIsDone() throws Exception {
    slot.put(host, letter("done", 1));
    slot.put(host, letter("next", 2));

    slot.empty(host, Set.of("done"));

    assertThat(Command.read(look().getData()).id()).isEqualTo("next");
  }

  @Test
  void commandThatWasTakenOutCanBePutInAgainAtOnce() throws Exception {
    slot.put(host, letter("again", 1));
    slot.empty(host, Set.of("again"));

    slot.put(host, letter("again", 1));

    assertThat(Command.read(look().getData()).id()).isEqualTo("again");
  }

  @Test
  void isFilledWhileItIsBeingEmptied() throws Exception {
    for (int epoch = 1; epoch <= 40; epoch++) {
      String before = "command-" + epoch;
      slot.put(host, letter(before, epoch));
      Thread emptying = Thread.ofVirtual().start(() -> slot.empty(host, Set.of(before)));

      slot.put(host, letter("next-" + epoch, epoch));

      emptying.join();
      assertThat(Command.read(look().getData()).id()).isEqualTo("next-" + epoch);
    }
  }

  @Test
  void whatNobodyCanReadIsReplaced() throws Exception {
    link.connection().publish(Subjects.command(host), "{}".getBytes(UTF_8));
    awaitRung(1);

    slot.put(host, letter("good", 1));

    assertThat(Command.read(look().getData()).id()).isEqualTo("good");
  }

  private Message look() throws Exception {
    return requireNonNull(
        device.request(Subjects.directGetCommand(host), null, Duration.ofSeconds(60)));
  }

  private void awaitRung(int times) {
    await().until(() -> rung.get() == times);
  }

  private Letter letter(String id, long epoch) {
    Command command =
        Command.draft(Action.INSPECT)
            .of("os", "1.5.0")
            .at(Instant.EPOCH, Instant.EPOCH)
            .command(id, TestServers.TENANT, name, epoch);
    return Letter.of(new String(command.write(), UTF_8), "key." + id);
  }
}
