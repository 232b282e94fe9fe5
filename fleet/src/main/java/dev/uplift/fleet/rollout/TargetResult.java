package dev.uplift.fleet.rollout;

import dev.uplift.fleet.Outcome;

/// The result of a device in a rollout: how its upgrade ended, or that it became unhealthy later.
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
  ABORTED(Kind.NEUTRAL),
  /// Left out because a host of it was not heard until the rollout ended. Nothing was begun.
  OFFLINE(Kind.NEUTRAL);

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

  /// The result after a revert of the upgrade has ended with `revert`.
  public TargetResult afterRevert(Outcome revert) {
    return switch (revert) {
      case ROLLED_BACK, NO_ACTION -> ROLLED_BACK;
      case PARTIAL -> PARTIAL;
      case STRANDED -> STRANDED;
      case UPGRADED, PREPARE_FAILED, DECLINED, EXPIRED, ABORTED -> this;
    };
  }

  /// Returns whether some of the device may run the release, so that it is reverted with its wave. A device that needs
  /// a person is left alone.
  public boolean mayRunRelease() {
    return this == UPGRADED || this == UNHEALTHY || this == PARTIAL;
  }

  /// The device runs the release.
  public boolean isSuccess() {
    return kind == Kind.SUCCESS;
  }

  /// It speaks against the release. What is neither success nor failure says nothing about it, and is in no share.
  public boolean isFailure() {
    return kind == Kind.FAILURE;
  }

  /// Returns whether the device may be missing from its group until a person has checked it. A rolled-back device is as
  /// it was before.
  public boolean isUnverified() {
    return this == PARTIAL || this == STRANDED || this == UNHEALTHY;
  }

  @Override
  public String toString() {
    return Phrases.word(this);
  }
}
