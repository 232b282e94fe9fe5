package dev.uplift.activities.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.activities.HostUpgradeScenario;
import dev.uplift.activities.InProcessServer;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.Step;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult.Done;
import dev.uplift.protocol.CommandResult.Failed;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Subjects;
import dev.uplift.protocol.WireErrorClass;
import dev.uplift.services.TestCommands;
import dev.uplift.services.messaging.LatestCommandStream;
import dev.uplift.services.messaging.NatsConnection;
import dev.uplift.store.command.CommandKey;
import dev.uplift.store.command.SignedCommand;
import dev.uplift.store.command.WaitingActivity;
import io.nats.client.impl.Headers;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/// Commands in the stream that the tables do not have: forged ones, and those from after a backup that was restored.
final class CommandStreamReconcilerTest extends HostUpgradeScenario {
  @Override
  protected InProcessServer server() {
    return InProcessServer.shared();
  }

  @Test
  void aCommandThatNoTableKnowsIsRemoved() throws Exception {
    publishForged("forged", 1);

    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> assertThat(server().bean(LatestCommandStream.class).findId(address())).isEmpty());
  }

  /// No command can have a higher epoch than the largest number.
  @Test
  void aForgedCommandWithAHugeEpochBlocksNothing() throws Exception {
    publishForged("huge", Long.MAX_VALUE);

    start(withoutResends());
    host.answer(host.awaitCommand(CommandAction.PREPARE), "1.4.0", new Done());
    publishForged("huge-again", Long.MAX_VALUE);
    Command upgrade = host.awaitCommand(CommandAction.UPGRADE);
    host.sendHeartbeat("1.5.0");
    host.answer(upgrade, "1.5.0", new Done());

    assertThat(result().outcome()).isEqualTo(Outcome.UPGRADED);
  }

  @Test
  void theNextCommandIsAboveWhatTheHostHasSeen() throws Exception {
    start(withoutResends());
    Command prepare = host.awaitCommand(CommandAction.PREPARE);
    long seen = Instant.now().plus(Duration.ofHours(20)).toEpochMilli();
    var stale = new Failed("stale-epoch", WireErrorClass.FINAL, "a newer command was received before");
    host.publishEvent(host.event(prepare.id(), seen, "1.4.0", new Event.Outcome(stale, "")));
    assertThat(result().outcome()).isEqualTo(Outcome.PREPARE_FAILED);

    var key = new CommandKey(device.tenant(), "next", host.id(), Step.INSPECT, 1);
    var next =
        server()
            .repositories()
            .commands()
            .createIfAbsent(
                key,
                new Release("os", "1"),
                new WaitingActivity("none", "1"),
                basis -> new SignedCommand(basis.id(), "{}", "key.none"));

    assertThat(next.epoch()).isEqualTo(seen + 1);
  }

  private void publishForged(String name, long epoch) throws Exception {
    Command command = TestCommands.inspect(name + "-" + UUID.randomUUID(), host.id().value(), epoch);
    server()
        .bean(NatsConnection.class)
        .connection()
        .jetStream()
        .publish(
            Subjects.command(address()), new Headers().put(Command.SIGNATURE_HEADER, "key.forged"), command.write());
  }

  private String address() {
    return Subjects.hostAddress(device.tenant(), host.id().value());
  }
}
