package dev.uplift.fleet.rollout;

import dev.uplift.fleet.Outcome;

/// What came of a device in a rollout: how its upgrade ended, or that it did not last.
public enum TargetResult {
  NO_ACTION(Kind.SUCCESS),
  UPGRADED(Kind.SUCCESS),
  PREPARE_FAILED(Kind.FAILURE),
  ROLLED_BACK(Kind.FAILURE),
  PARTIAL(Kind.FAILURE),
  STRANDED(Kind.FAILURE),
  /// Upgraded, and then silent or back at another version while its wave soaked.
  UNHEALTHY(Kind.FAILURE),
  DECLINED(Kind.NEUTRAL),
  EXPIRED(Kind.NEUTRAL),
  ABORTED(Kind.NEUTRAL);

  private enum Kind {
    SUCCESS,
    FAILURE,
    NEUTRAL
  }

  private final Kind kind;

  TargetResult(Kind kind) {
    this.kind = kind;
  }

  public static TargetResult of(Outcome outcome) {
    return switch (outcome) {
      case NO_ACTION -> NO_ACTION;
      case UPGRADED -> UPGRADED;
      case PREPARE_FAILED -> PREPARE_FAILED;
      case ROLLED_BACK -> ROLLED_BACK;
      case PARTIAL -> PARTIAL;
      case STRANDED -> STRANDED;
      case DECLINED -> DECLINED;
      case EXPIRED -> EXPIRED;
      case ABORTED -> ABORTED;
    };
  }

  /// What this one is after its upgrade was to be taken back, and that ended so.
  public TargetResult afterRevert(Outcome revert) {
    return switch (revert) {
      case ROLLED_BACK, NO_ACTION -> ROLLED_BACK;
      case PARTIAL -> PARTIAL;
      case STRANDED -> STRANDED;
      case UPGRADED, PREPARE_FAILED, DECLINED, EXPIRED, ABORTED -> this;
    };
  }

  /// Whether some of the device may run the release, and would have to go back with its wave. One
  /// that needs a person is not touched again.
  public boolean mayRunRelease() {
    return this == UPGRADED || this == UNHEALTHY || this == PARTIAL;
  }

  /// The device runs the release.
  public boolean isSuccess() {
    return kind == Kind.SUCCESS;
  }

  /// It speaks against the release. What is neither success nor failure says nothing about it, and
  /// is in no share.
  public boolean isFailure() {
    return kind == Kind.FAILURE;
  }

  /// Whether the device may be missing from its group until somebody has looked at it. A device
  /// that went back is as it was.
  public boolean isUnverified() {
    return this == PARTIAL || this == STRANDED || this == UNHEALTHY;
  }

  @Override
  public String toString() {
    return Phrases.word(this);
  }
}
