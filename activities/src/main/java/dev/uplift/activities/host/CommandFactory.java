package dev.uplift.activities.host;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.activities.host.CommandIssuer.CannotIssue;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.Order;
import dev.uplift.protocol.Order.SignedRelease;
import dev.uplift.services.artifacts.ArtifactUrlSigner;
import dev.uplift.services.trust.CommandSigner;
import dev.uplift.store.command.CommandBasis;
import dev.uplift.store.command.CommandRelease;
import dev.uplift.store.command.SignedCommand;
import dev.uplift.store.tenant.TenantRepository;
import dev.uplift.store.tenant.TenantRow;
import dev.uplift.workflows.device.StepRequest;
import jakarta.inject.Singleton;
import java.time.Duration;

/// Creates the signed commands of steps. Each has everything that its host needs, even if the host has lost all its
/// state.
@Singleton
final class CommandFactory {
  /// How long a download that has started in time may take.
  private static final Duration DOWNLOAD_GRACE = Duration.ofDays(1);

  /// How long the outgoing agent tries to answer before it ends.
  private static final Duration STOP_DEADLINE = Duration.ofSeconds(5);

  private final TenantRepository tenants;
  private final ArtifactUrlSigner artifactUrls;
  private final CommandSigner signer;

  CommandFactory(TenantRepository tenants, ArtifactUrlSigner artifactUrls, CommandSigner signer) {
    this.tenants = tenants;
    this.artifactUrls = artifactUrls;
    this.signer = signer;
  }

  /// Creates the command of a step.
  ///
  /// @throws CannotIssue if its release does not exist
  SignedCommand create(StepRequest stepRequest, String id, CommandBasis basis) {
    Order order =
        switch (stepRequest.step()) {
          case PREPARE -> prepare(stepRequest, release(stepRequest, basis));
          case UPGRADE -> upgrade(stepRequest, release(stepRequest, basis));
          case COMMIT -> new Order.Commit(signed(release(stepRequest, basis)));
          case ROLLBACK -> new Order.Rollback(signed(release(stepRequest, basis)));
          case REBOOT -> new Order.Reboot(stepRequest.bootBefore());
          case INSPECT -> new Order.Inspect();
          case STOP -> stop(stepRequest);
          case CANCEL, AWAIT_HOST, AWAIT_SUCCESSOR, AWAIT_HEARTBEAT, HALT, RESUME ->
              throw new IllegalArgumentException(stepRequest.step() + " is no command of an upgrade");
        };
    return sign(stepRequest, id, basis, order);
  }

  /// Creates the command that cancels another one.
  SignedCommand createCancel(StepRequest stepRequest, CommandBasis basis, String cancels) {
    var order = new Order.Cancel(cancels, "the upgrade was stopped");
    return sign(stepRequest, basis.id(), basis, order);
  }

  private Order prepare(StepRequest stepRequest, CommandRelease release) {
    String artifactUrl =
        release
            .digest()
            .map(digest ->
                artifactUrls.sign(
                    stepRequest.device().tenant(),
                    stepRequest.host(),
                    digest,
                    stepRequest.notAfter().plus(DOWNLOAD_GRACE)))
            .orElse("");
    return new Order.Prepare(signed(release), artifactUrl, stepRequest.allowDowngrade(), mayOverrideHold(stepRequest));
  }

  private Order upgrade(StepRequest stepRequest, CommandRelease release) {
    return new Order.Upgrade(
        signed(release), release.digest().orElse(""), stepRequest.allowDowngrade(), mayOverrideHold(stepRequest));
  }

  /// Asked again for each command: the tenant may have changed its mind, and the check at the start of the upgrade knew
  /// nothing of an owner's hold that came later.
  private boolean mayOverrideHold(StepRequest stepRequest) {
    return stepRequest.overrideHold()
        && tenants.find(stepRequest.device().tenant()).map(TenantRow::allowHoldOverride).orElse(false);
  }

  private static Order stop(StepRequest stepRequest) {
    String reason = "%s %s takes over".formatted(stepRequest.release().packageName(), stepRequest.targetVersion());
    return new Order.Stop(reason, STOP_DEADLINE);
  }

  private static SignedRelease signed(CommandRelease release) {
    return new SignedRelease(release.manifest(), release.signature());
  }

  private static CommandRelease release(StepRequest stepRequest, CommandBasis basis) {
    return basis
        .release()
        .orElseThrow(() -> new CannotIssue("release-not-found", stepRequest.release() + " does not exist"));
  }

  private SignedCommand sign(StepRequest stepRequest, String id, CommandBasis basis, Order order) {
    String tenant = stepRequest.device().tenant();
    var command =
        new Command(
            id,
            tenant,
            stepRequest.host().value(),
            basis.epoch(),
            basis.now(),
            stepRequest.notAfter(),
            stepRequest.release().packageName(),
            stepRequest.targetVersion(),
            order instanceof Order.Stop ? outgoingInstance(stepRequest) : "",
            Command.Expect.NONE,
            stepRequest.timeout(),
            order);
    byte[] body = command.write();
    return new SignedCommand(id, new String(body, UTF_8), signer.sign(tenant, basis.rootVersion(), body));
  }

  private static String outgoingInstance(StepRequest stepRequest) {
    return stepRequest
        .outgoingInstance()
        .orElseThrow(() -> new IllegalArgumentException(stepRequest + " names no agent"));
  }
}
