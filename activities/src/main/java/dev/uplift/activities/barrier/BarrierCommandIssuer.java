package dev.uplift.activities.barrier;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.HostState;
import dev.uplift.fleet.Step;
import dev.uplift.fleet.barrier.BarrierState;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.Order;
import dev.uplift.protocol.Subjects;
import dev.uplift.services.barrier.BarrierRepositories;
import dev.uplift.services.messaging.CommandMessage;
import dev.uplift.services.messaging.LatestCommandStream;
import dev.uplift.services.messaging.StaleEpoch;
import dev.uplift.services.trust.CommandSigner;
import dev.uplift.store.barrier.BarrierRow;
import dev.uplift.store.command.CommandBasis;
import dev.uplift.store.command.CommandKey;
import dev.uplift.store.command.CommandReport;
import dev.uplift.store.command.CommandRow;
import dev.uplift.store.command.SignedCommand;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Creates the `halt` and the `resume` of each host of a barrier once, and publishes the same bytes as often as it is
/// asked to.
@Singleton
final class BarrierCommandIssuer {
  /// Bound for a program of the operator that halts or resumes a package.
  private static final Duration TIMEOUT = Duration.ofMinutes(10);

  private final BarrierRepositories tables;
  private final CommandSigner signer;
  private final LatestCommandStream commandStream;

  BarrierCommandIssuer(BarrierRepositories tables, CommandSigner signer, LatestCommandStream commandStream) {
    this.tables = tables;
    this.signer = signer;
    this.commandStream = commandStream;
  }

  /// Creates the command, if it is not there, and publishes it, unless it is answered. A `halt` is created only while
  /// the barrier is halting.
  ///
  /// @return whether it waits for the host, or is answered; false if the host has a newer command
  /// @throws dev.uplift.services.messaging.NatsUnavailable if the broker did not confirm it; it may be published again
  boolean send(BarrierRow barrier, HostId host, Step step, int generation) {
    var key = new CommandKey(barrier.tenant(), barrier.id().commandOwner(), host, step, generation);
    Optional<CommandRow> row = tables.rollouts().database().inTransaction(() -> createIfStillWanted(barrier, key));
    return row.isEmpty() || row.get().outcome().isPresent() || publish(row.get());
  }

  private Optional<CommandRow> createIfStillWanted(BarrierRow barrier, CommandKey key) {
    BarrierState wanted = key.step() == Step.HALT ? BarrierState.HALTING : BarrierState.RESUMING;
    return tables
        .barriers()
        .lock(barrier.id())
        .filter(now -> now.state() == wanted)
        .map(now -> tables.rollouts().common().commands().createIfAbsent(key, basis -> encode(now, key, basis)));
  }

  private SignedCommand encode(BarrierRow barrier, CommandKey key, CommandBasis basis) {
    boolean halts = key.step() == Step.HALT;
    var command =
        new Command(
            basis.id(),
            key.tenant(),
            key.host().value(),
            basis.epoch(),
            basis.now(),
            halts ? barrier.deadlineAt() : barrier.untilAt(),
            barrier.packageName(),
            HostState.UNKNOWN,
            "",
            Command.Expect.NONE,
            TIMEOUT,
            halts ? new Order.Halt(barrier.name(), barrier.untilAt()) : new Order.Resume(barrier.name()));
    byte[] body = command.write();
    return new SignedCommand(basis.id(), new String(body, UTF_8), signer.sign(key.tenant(), basis.rootVersion(), body));
  }

  private boolean publish(CommandRow row) {
    SignedCommand command = row.toPublish();
    String signature = signer.signAgainIfKeyChanged(row.tenant(), command.body(), command.signature());
    try {
      long sequence =
          commandStream.publish(
              Subjects.hostAddress(row.tenant(), row.host().value()), CommandMessage.of(command.body(), signature));
      tables
          .rollouts()
          .common()
          .commands()
          .record(List.of(CommandReport.published(row.tenant(), row.host(), row.id(), sequence, Instant.now())));
      return true;
    } catch (StaleEpoch _) {
      return false;
    }
  }
}
