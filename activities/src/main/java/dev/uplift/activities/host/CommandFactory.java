package dev.uplift.activities.host;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandBuilder;
import dev.uplift.services.artifacts.ArtifactUrlSigner;
import dev.uplift.services.trust.CommandSigner;
import dev.uplift.store.command.SignedCommand;
import dev.uplift.store.release.ReleaseRepository;
import dev.uplift.store.release.ReleaseRow;
import dev.uplift.workflows.device.StepRequest;
import java.time.Duration;
import java.time.Instant;

/// Writes the commands for orders and signs them. Each carries all that its host needs to do it,
/// even one that has lost everything else.
final class CommandFactory {
  /// A download that has begun in time may go on for so long.
  private static final Duration DOWNLOAD_GRACE = Duration.ofDays(1);

  /// An agent that is to make way and cannot say so has gone on by then.
  private static final Duration STOP_DEADLINE = Duration.ofSeconds(5);

  private final ReleaseRepository releases;
  private final ArtifactUrlSigner artifactUrls;
  private final CommandSigner signer;

  CommandFactory(ReleaseRepository releases, ArtifactUrlSigner artifactUrls, CommandSigner signer) {
    this.releases = releases;
    this.artifactUrls = artifactUrls;
    this.signer = signer;
  }

  /// The command for an order.
  ///
  /// @throws NoSuchRelease where the order is about a release that is not in the records
  SignedCommand create(StepRequest stepRequest, String id, long epoch, Instant now) {
    CommandBuilder draft = draft(stepRequest, now);
    switch (stepRequest.step()) {
      case PREPARE -> prepare(draft, stepRequest);
      case UPGRADE -> upgrade(draft, stepRequest);
      case COMMIT, ROLLBACK -> withRelease(draft, release(stepRequest));
      case REBOOT -> draft.expectBoot(stepRequest.bootBefore());
      case INSPECT -> {}
      case STOP -> stop(draft, stepRequest);
      case CANCEL, AWAIT_SUCCESSOR, AWAIT_HEARTBEAT ->
          throw new IllegalArgumentException(stepRequest.step() + " is no command of its own");
    }
    return sign(stepRequest, draft, id, epoch);
  }

  /// The cancel of another command.
  SignedCommand createCancel(StepRequest stepRequest, String id, long epoch, Instant now, String cancels) {
    CommandBuilder draft = draft(stepRequest, now).cancels(cancels).reason("the upgrade goes no further");
    return sign(stepRequest, draft, id, epoch);
  }

  private void prepare(CommandBuilder draft, StepRequest stepRequest) {
    ReleaseRow release = release(stepRequest);
    withRelease(draft, release).allowDowngrade(stepRequest.allowDowngrade());
    release
        .artifact()
        .ifPresent(artifact ->
            draft.artifactUrl(
                artifactUrls.sign(
                    stepRequest.device().tenant(),
                    stepRequest.host(),
                    artifact.digest(),
                    stepRequest.notAfter().plus(DOWNLOAD_GRACE))));
  }

  private void upgrade(CommandBuilder draft, StepRequest stepRequest) {
    ReleaseRow release = release(stepRequest);
    withRelease(draft, release).allowDowngrade(stepRequest.allowDowngrade());
    release.artifact().ifPresent(artifact -> draft.digest(artifact.digest()));
  }

  private static void stop(CommandBuilder draft, StepRequest stepRequest) {
    String instance =
        stepRequest.outgoingInstance().orElseThrow(() -> new IllegalArgumentException(stepRequest + " names no agent"));
    draft
        .instance(instance)
        .reason("%s %s takes over".formatted(stepRequest.release().packageName(), stepRequest.targetVersion()))
        .deadline(STOP_DEADLINE);
  }

  private static CommandBuilder withRelease(CommandBuilder draft, ReleaseRow release) {
    return draft.release(release.manifest(), release.signature());
  }

  private ReleaseRow release(StepRequest stepRequest) {
    return releases
        .find(stepRequest.device().tenant(), stepRequest.release())
        .orElseThrow(() -> new NoSuchRelease(stepRequest.release()));
  }

  private static CommandBuilder draft(StepRequest stepRequest, Instant now) {
    return Command.builder(CommandAction.valueOf(stepRequest.step().name()))
        .target(stepRequest.release().packageName(), stepRequest.targetVersion())
        .times(now, stepRequest.notAfter());
  }

  private SignedCommand sign(StepRequest stepRequest, CommandBuilder draft, String id, long epoch) {
    String tenant = stepRequest.device().tenant();
    byte[] body = draft.build(id, tenant, stepRequest.host().value(), epoch).write();
    return new SignedCommand(id, new String(body, UTF_8), signer.sign(tenant, body));
  }
}
