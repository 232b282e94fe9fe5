package dev.uplift.store.rollout;

import dev.uplift.store.rollout.RolloutMembership.ExcludedDevice;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;

/// A row of `rollout_exclusion`.
@MappedEntity("rollout_exclusion")
record ExclusionEntity(
    String tenant, String rollout, @Id String device, String reason, String detail) {

  ExcludedDevice toExcluded() {
    return new ExcludedDevice(device, reason, detail);
  }
}
