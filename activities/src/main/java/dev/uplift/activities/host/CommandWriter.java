package dev.uplift.activities.host;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.activities.artifacts.ArtifactAddresses;
import dev.uplift.activities.trust.CommandPen;
import dev.uplift.protocol.Action;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandDraft;
import dev.uplift.store.ReleaseRow;
import dev.uplift.store.Releases;
import dev.uplift.store.Written;
import dev.uplift.workflows.device.Order;
import java.time.Duration;
import java.time.Instant;

/// Writes the commands for orders and signs them. Each carries all that its host needs to do it,
/// even one that has lost everything else.
final class CommandWriter {
  /// A download that has begun in time may go on for so long.
  private static final Duration FETCH = Duration.ofDays(1);

  /// An agent that is to make way and cannot say so has gone on by then.
  private static final Duration LAST_WORDS = Duration.ofSeconds(5);

  private final Releases releases;
  private final ArtifactAddresses addresses;
  private final CommandPen pen;

  CommandWriter(Releases releases, ArtifactAddresses addresses, CommandPen pen) {
    this.releases = releases;
    this.addresses = addresses;
    this.pen = pen;
  }

  /// The command for an order.
  ///
  /// @throws NoSuchRelease where the order is about a release that is not in the records
  Written write(Order order, String id, long epoch, Instant now) {
    CommandDraft draft = draft(order, now);
    switch (order.step()) {
      case PREPARE -> prepare(draft, order);
      case UPGRADE -> upgrade(draft, order);
      case COMMIT, ROLLBACK -> about(draft, release(order));
      case REBOOT -> draft.expectingBoot(order.bootBefore());
      case INSPECT -> {}
      case STOP -> stop(draft, order);
      case CANCEL, AWAIT_STANDBY, AWAIT_HEARTBEAT ->
          throw new IllegalArgumentException(order.step() + " is no command of its own");
    }
    return sign(order, draft, id, epoch);
  }

  /// The cancel of another command.
  Written cancel(Order order, String id, long epoch, Instant now, String cancels) {
    CommandDraft draft = draft(order, now).cancels(cancels).reason("the upgrade goes no further");
    return sign(order, draft, id, epoch);
  }

  private void prepare(CommandDraft draft, Order order) {
    ReleaseRow release = release(order);
    about(draft, release).allowDowngrade(order.allowDowngrade());
    release
        .artifact()
        .ifPresent(artifact ->
            draft.artifactUrl(
                addresses.of(
                    order.device().tenant(),
                    order.host(),
                    artifact.digest(),
                    order.notAfter().plus(FETCH))));
  }

  private void upgrade(CommandDraft draft, Order order) {
    ReleaseRow release = release(order);
    about(draft, release).allowDowngrade(order.allowDowngrade());
    release.artifact().ifPresent(artifact -> draft.digest(artifact.digest()));
  }

  private static void stop(CommandDraft draft, Order order) {
    String instance =
        order.instance().orElseThrow(() -> new IllegalArgumentException(order + " names no agent"));
    draft
        .to(instance)
        .reason("%s %s takes over".formatted(order.release().packageName(), order.wanted()))
        .deadline(LAST_WORDS);
  }

  private static CommandDraft about(CommandDraft draft, ReleaseRow release) {
    return draft.release(release.text(), release.signature());
  }

  private ReleaseRow release(Order order) {
    return releases
        .find(order.device().tenant(), order.release())
        .orElseThrow(() -> new NoSuchRelease(order.release()));
  }

  private static CommandDraft draft(Order order, Instant now) {
    return Command.draft(Action.valueOf(order.step().name()))
        .of(order.release().packageName(), order.wanted())
        .at(now, order.notAfter());
  }

  private Written sign(Order order, CommandDraft draft, String id, long epoch) {
    String tenant = order.device().tenant();
    byte[] body = draft.command(id, tenant, order.host().value(), epoch).write();
    return new Written(id, new String(body, UTF_8), pen.sign(tenant, body));
  }
}
