package dev.uplift.protocol;

import dev.uplift.protocol.Command.Expect;
import java.time.Duration;
import java.time.Instant;

/// A [Command] in the making: what every command has is asked for at the end, what few have may be
/// left out.
public final class CommandDraft {
  private final Action action;
  private String packageName = "";
  private String version = "";
  private String instance = "";
  private Expect expect = Expect.NOTHING;
  private String release = "";
  private String releaseSignature = "";
  private String artifactUrl = "";
  private String digest = "";
  private boolean allowDowngrade;
  private String cancels = "";
  private String reason = "";
  private Duration deadline = Duration.ZERO;
  private Instant issuedAt = Instant.EPOCH;
  private Instant notAfter = Instant.EPOCH;

  CommandDraft(Action action) {
    this.action = action;
  }

  /// The package, and the version that the work is to lead to; of a `rollback` the one from before.
  public CommandDraft of(String packageName, String version) {
    this.packageName = packageName;
    this.version = version;
    return this;
  }

  public CommandDraft at(Instant issuedAt, Instant notAfter) {
    this.issuedAt = issuedAt;
    this.notAfter = notAfter;
    return this;
  }

  public CommandDraft to(String instance) {
    this.instance = instance;
    return this;
  }

  public CommandDraft expecting(Expect expect) {
    this.expect = expect;
    return this;
  }

  public CommandDraft expectingBoot(String bootId) {
    return expecting(new Expect(expect.version(), bootId));
  }

  /// The exact texts of `release.json` and `release.sig`.
  public CommandDraft release(String release, String signature) {
    this.release = release;
    this.releaseSignature = signature;
    return this;
  }

  public CommandDraft artifactUrl(String url) {
    this.artifactUrl = url;
    return this;
  }

  public CommandDraft digest(String sha256) {
    this.digest = sha256;
    return this;
  }

  public CommandDraft allowDowngrade(boolean allowed) {
    this.allowDowngrade = allowed;
    return this;
  }

  public CommandDraft cancels(String commandId) {
    this.cancels = commandId;
    return this;
  }

  public CommandDraft reason(String text) {
    this.reason = text;
    return this;
  }

  public CommandDraft deadline(Duration within) {
    this.deadline = within;
    return this;
  }

  /// Throws [MalformedMessage] where a value breaks its bound or the action lacks what it needs.
  public Command command(String id, String tenant, String host, long epoch) {
    return new Command(
        id,
        tenant,
        host,
        action,
        epoch,
        issuedAt,
        notAfter,
        packageName,
        version,
        instance,
        expect,
        release,
        releaseSignature,
        artifactUrl,
        digest,
        allowDowngrade,
        cancels,
        reason,
        deadline);
  }
}
