package dev.uplift.agent;

import dev.uplift.protocol.Command;
import dev.uplift.protocol.Command.Expect;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.Order;
import dev.uplift.protocol.Order.SignedRelease;
import java.time.Duration;
import java.time.Instant;

/// Builds commands for tests, action by action: what all have is given at the end, and what the action does not need is
/// left out.
public final class TestCommandBuilder {
  private final CommandAction action;
  private String packageName = "";
  private String version = "";
  private String instance = "";
  private Expect expect = Expect.NONE;
  private String release = "";
  private String releaseSignature = "";
  private String artifactUrl = "";
  private String digest = "";
  private boolean allowDowngrade;
  private boolean overrideHold;
  private String cancels = "";
  private String reason = "";
  private String barrier = "";
  private Instant until = Instant.EPOCH;
  private Duration deadline = Duration.ZERO;
  private Instant issuedAt = Instant.EPOCH;
  private Instant notAfter = Instant.EPOCH;

  public TestCommandBuilder(CommandAction action) {
    this.action = action;
  }

  /// The package, and the version that the work is to lead to; of a `rollback` the one from before.
  public TestCommandBuilder target(String packageName, String version) {
    this.packageName = packageName;
    this.version = version;
    return this;
  }

  public TestCommandBuilder times(Instant issuedAt, Instant notAfter) {
    this.issuedAt = issuedAt;
    this.notAfter = notAfter;
    return this;
  }

  public TestCommandBuilder instance(String instance) {
    this.instance = instance;
    return this;
  }

  public TestCommandBuilder expect(Expect expect) {
    this.expect = expect;
    return this;
  }

  public TestCommandBuilder expectBoot(String bootId) {
    return expect(new Expect(expect.version(), bootId));
  }

  /// The exact texts of `release.json` and `release.sig`.
  public TestCommandBuilder release(String release, String signature) {
    this.release = release;
    this.releaseSignature = signature;
    return this;
  }

  public TestCommandBuilder artifactUrl(String url) {
    this.artifactUrl = url;
    return this;
  }

  public TestCommandBuilder digest(String sha256) {
    this.digest = sha256;
    return this;
  }

  public TestCommandBuilder allowDowngrade(boolean allowed) {
    this.allowDowngrade = allowed;
    return this;
  }

  public TestCommandBuilder overrideHold(boolean overridden) {
    this.overrideHold = overridden;
    return this;
  }

  public TestCommandBuilder cancels(String commandId) {
    this.cancels = commandId;
    return this;
  }

  /// Of a `halt` or a `resume`; a `halt` ends by itself at `until`.
  public TestCommandBuilder barrier(String name, Instant until) {
    this.barrier = name;
    this.until = until;
    return this;
  }

  public TestCommandBuilder reason(String text) {
    this.reason = text;
    return this;
  }

  public TestCommandBuilder deadline(Duration within) {
    this.deadline = within;
    return this;
  }

  public Command build(String id, String tenant, String host, long epoch) {
    boolean isReboot = action == CommandAction.REBOOT;
    return new Command(
        id,
        tenant,
        host,
        epoch,
        issuedAt,
        notAfter,
        packageName,
        version,
        instance,
        isReboot ? new Expect(expect.version(), "") : expect,
        Duration.ZERO,
        order());
  }

  private Order order() {
    return switch (action) {
      case PREPARE -> new Order.Prepare(signedRelease(), artifactUrl, allowDowngrade, overrideHold);
      case UPGRADE -> new Order.Upgrade(signedRelease(), digest, allowDowngrade, overrideHold);
      case COMMIT -> new Order.Commit(signedRelease());
      case ROLLBACK -> new Order.Rollback(signedRelease());
      case REBOOT -> new Order.Reboot(expect.bootId());
      case STOP -> new Order.Stop(reason, deadline);
      case HALT -> new Order.Halt(barrier, until);
      case RESUME -> new Order.Resume(barrier);
      case INSPECT -> new Order.Inspect();
      case CANCEL -> new Order.Cancel(cancels, reason);
    };
  }

  private SignedRelease signedRelease() {
    return new SignedRelease(release, releaseSignature);
  }
}
