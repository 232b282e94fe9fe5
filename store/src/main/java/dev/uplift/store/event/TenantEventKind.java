package dev.uplift.store.event;

/// What can happen in a tenant. Programs rely on these words.
public enum TenantEventKind {
  /// An upgrade is started; it may still wait for a window, an approval or its host.
  UPGRADE_STARTED("upgrade.started"),
  /// It has waited for a person, or for a host that is off, for longer than a webhook says; sent to that webhook only.
  UPGRADE_WAIT_ESCALATED("upgrade.wait-escalated"),
  /// With its outcome.
  UPGRADE_ENDED("upgrade.ended"),
  /// Its first wave has begun.
  ROLLOUT_STARTED("rollout.started"),
  /// Another wave has begun.
  ROLLOUT_WAVE_STARTED("rollout.wave-started"),
  /// It starts nothing until a person says so: it is paused, or waits for an approval.
  ROLLOUT_WAITING("rollout.waiting"),
  /// It has waited for a person for longer than a webhook says; sent to that webhook only.
  ROLLOUT_WAIT_ESCALATED("rollout.wait-escalated"),
  /// It runs again.
  ROLLOUT_CONTINUED("rollout.continued"),
  ROLLOUT_ROLLING_BACK("rollout.rolling-back"),
  ROLLOUT_ABORTING("rollout.aborting"),
  /// With its outcome.
  ROLLOUT_ENDED("rollout.ended"),
  /// Its hosts are told to halt.
  BARRIER_STARTED("barrier.started"),
  /// All hosts have halted, or those that are to: the migration may begin.
  BARRIER_HALTED("barrier.halted"),
  /// It has waited for a person for longer than a webhook says; sent to that webhook only.
  BARRIER_WAIT_ESCALATED("barrier.wait-escalated"),
  /// Its hosts are told to resume.
  BARRIER_RESUMED("barrier.resumed"),
  /// With its outcome.
  BARRIER_ENDED("barrier.ended"),
  DEVICE_HELD("device.held"),
  /// Its hold was ended; that a hold ends by itself is no event.
  DEVICE_RELEASED("device.released"),
  RELEASE_PUBLISHED("release.published");

  private final String word;

  TenantEventKind(String word) {
    this.word = word;
  }

  /// The fixed word of it.
  @Override
  public String toString() {
    return word;
  }
}
