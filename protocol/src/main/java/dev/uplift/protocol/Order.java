package dev.uplift.protocol;

import java.time.Duration;
import java.time.Instant;

/// The task of a [Command], with the fields that only this order has.
///
/// The agent carries out a [StepOrder] one at a time. [Inspect] and [Cancel] it answers while it is at work.
public sealed interface Order {
  /// The word for it on the wire.
  CommandAction action();

  /// Changes the host, or the agent on it.
  sealed interface StepOrder extends Order {}

  /// About one release, which the package's driver installs or rolls back.
  sealed interface ReleaseOrder extends StepOrder {
    SignedRelease release();
  }

  /// Leads to the release.
  sealed interface InstallOrder extends ReleaseOrder {
    /// Returns whether the release may be older than one that the host has had.
    boolean allowDowngrade();

    /// Returns whether it installs the release although the owner of the host holds the package.
    boolean overrideHold();
  }

  /// Puts the release on the host and verifies it. What runs stays untouched.
  ///
  /// @param artifactUrl where to fetch the artifact; empty for kinds without one
  record Prepare(SignedRelease release, String artifactUrl, boolean allowDowngrade, boolean overrideHold)
      implements InstallOrder {
    /// Respects what the owner of the host holds.
    public Prepare(SignedRelease release, String artifactUrl, boolean allowDowngrade) {
      this(release, artifactUrl, allowDowngrade, false);
    }

    public Prepare {
      FieldLimits.requireMaxChars("artifact_url", artifactUrl, 2048);
    }

    @Override
    public CommandAction action() {
      return CommandAction.PREPARE;
    }
  }

  /// Puts the prepared release to use.
  ///
  /// @param digest SHA-256, in hex, of the artifact that was prepared; empty for kinds without one
  record Upgrade(SignedRelease release, String digest, boolean allowDowngrade, boolean overrideHold)
      implements InstallOrder {
    /// Respects what the owner of the host holds.
    public Upgrade(SignedRelease release, String digest, boolean allowDowngrade) {
      this(release, digest, allowDowngrade, false);
    }

    public Upgrade {
      FieldLimits.requireSha256OrEmpty("digest", digest);
    }

    @Override
    public CommandAction action() {
      return CommandAction.UPGRADE;
    }
  }

  /// Ends the trial of the release: the host does not roll back by itself any more.
  record Commit(SignedRelease release) implements ReleaseOrder {
    @Override
    public CommandAction action() {
      return CommandAction.COMMIT;
    }
  }

  /// Leads back to the version before.
  ///
  /// @param release the one that is rolled back
  record Rollback(SignedRelease release) implements ReleaseOrder {
    @Override
    public CommandAction action() {
      return CommandAction.ROLLBACK;
    }
  }

  /// Reboots the host.
  ///
  /// @param bootId the boot that is to end; in another one nothing is left to do
  record Reboot(String bootId) implements StepOrder {
    public Reboot {
      FieldLimits.require(!bootId.isEmpty(), "expect.boot_id", "a text in reboot");
      FieldLimits.requireId("expect.boot_id", bootId);
    }

    @Override
    public CommandAction action() {
      return CommandAction.REBOOT;
    }
  }

  /// Ends the agent, so that its successor takes over.
  ///
  /// @param reason a sentence for people
  /// @param deadline how long it may take; zero: the agent's own limit
  record Stop(String reason, Duration deadline) implements StepOrder {
    public Stop {
      reason = FieldLimits.truncate(reason);
      FieldLimits.requireBetween("deadline_ms", deadline.toMillis(), 0, Duration.ofDays(1).toMillis());
    }

    @Override
    public CommandAction action() {
      return CommandAction.STOP;
    }
  }

  /// Of a barrier, about the package of the command.
  sealed interface BarrierOrder extends StepOrder {
    /// Returns the name of the barrier.
    String barrier();
  }

  /// Halts the package: from now on nothing of it is installed, and its driver has it halt where it can.
  ///
  /// @param until when the host resumes by itself
  record Halt(String barrier, Instant until) implements BarrierOrder {
    public Halt {
      FieldLimits.requireId("barrier", barrier);
    }

    @Override
    public CommandAction action() {
      return CommandAction.HALT;
    }
  }

  /// Ends the halt of the package by this barrier. Nothing is left to do if there is none.
  record Resume(String barrier) implements BarrierOrder {
    public Resume {
      FieldLimits.requireId("barrier", barrier);
    }

    @Override
    public CommandAction action() {
      return CommandAction.RESUME;
    }
  }

  /// Asks what is on the host.
  record Inspect() implements Order {
    @Override
    public CommandAction action() {
      return CommandAction.INSPECT;
    }
  }

  /// Ends another command, or keeps it from being begun.
  ///
  /// @param commandId the other command's
  /// @param reason a sentence for people
  record Cancel(String commandId, String reason) implements Order {
    public Cancel {
      FieldLimits.require(!commandId.isEmpty(), "cancels", "a text in cancel");
      FieldLimits.requireId("cancels", commandId);
      reason = FieldLimits.truncate(reason);
    }

    @Override
    public CommandAction action() {
      return CommandAction.CANCEL;
    }
  }

  /// The exact texts of a release's two files.
  ///
  /// @param manifest of `release.json`
  /// @param signature of `release.sig`
  record SignedRelease(String manifest, String signature) {
    public SignedRelease {
      FieldLimits.require(!manifest.isEmpty(), "release", "a text");
      FieldLimits.requireMaxChars("release", manifest, ReleaseManifest.MAX_BYTES);
      FieldLimits.require(!signature.isEmpty(), "release_signature", "a text");
      FieldLimits.requireMaxChars("release_signature", signature, ReleaseManifest.MAX_SIGNATURE_CHARS);
    }
  }
}
