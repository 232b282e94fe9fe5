package dev.uplift.protocol;

import dev.uplift.protocol.Command.Expect;
import java.time.Duration;
import java.time.Instant;

/// A [Command] in the making: what every command has is asked for at the end, what few have may be
/// left out.
public final class CommandBuilder {
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
  private String cancels = "";
  private String reason = "";
  private Duration deadline = Duration.ZERO;
  private Instant issuedAt = Instant.EPOCH;
  private Instant notAfter = Instant.EPOCH;

  CommandBuilder(CommandAction action) {
    this.action = action;
  }

  /// The package, and the version that the work is to lead to; of a `rollback` the one from before.
  public CommandBuilder target(String packageName, String version) {
    this.packageName = packageName;
    this.version = version;
    return this;
  }

  public CommandBuilder times(Instant issuedAt, Instant notAfter) {
    this.issuedAt = issuedAt;
    this.notAfter = notAfter;
    return this;
  }

  public CommandBuilder instance(String instance) {
    this.instance = instance;
    return this;
  }

  public CommandBuilder expect(Expect expect) {
    this.expect = expect;
    return this;
  }

  public CommandBuilder expectBoot(String bootId) {
    return expect(new Expect(expect.version(), bootId));
  }

  /// The exact texts of `release.json` and `release.sig`.
  public CommandBuilder release(String release, String signature) {
    this.release = release;
    this.releaseSignature = signature;
    return this;
  }

  public CommandBuilder artifactUrl(String url) {
    this.artifactUrl = url;
    return this;
  }

  public CommandBuilder digest(String sha256) {
    this.digest = sha256;
    return this;
  }

  public CommandBuilder allowDowngrade(boolean allowed) {
    this.allowDowngrade = allowed;
    return this;
  }

  public CommandBuilder cancels(String commandId) {
    this.cancels = commandId;
    return this;
  }

  public CommandBuilder reason(String text) {
    this.reason = text;
    return this;
  }

  public CommandBuilder deadline(Duration within) {
    this.deadline = within;
    return this;
  }

  /// Throws [MalformedMessage] where a value breaks its bound or the action lacks what it needs.
  public Command build(String id, String tenant, String host, long epoch) {
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
