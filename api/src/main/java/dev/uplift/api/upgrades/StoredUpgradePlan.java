package dev.uplift.api.upgrades;

import dev.uplift.api.json.ValueReaders;
import dev.uplift.api.timeouts.StepTimeoutsView;
import dev.uplift.services.upgrade.RecordedPlan;
import dev.uplift.store.upgrade.UpgradeRow;
import java.time.Instant;
import java.util.Optional;

/// The recorded plan of an upgrade in the words of REST.
///
/// @param author who cannot approve it; empty if no approval is required
/// @param onClose what happens if its window closes; empty if it is not bound to windows
/// @param stepTimeouts in force
record StoredUpgradePlan(
    Optional<String> rollbackScope,
    Optional<Boolean> allowDowngrade,
    Optional<Instant> notAfter,
    Optional<String> author,
    Optional<String> onClose,
    Optional<StepTimeoutsView> stepTimeouts) {

  static StoredUpgradePlan of(UpgradeRow row) {
    Optional<RecordedPlan> plan = RecordedPlan.read(row.plan());
    return new StoredUpgradePlan(
        plan.map(RecordedPlan::rollbackScope).map(ValueReaders::enumWord),
        plan.map(RecordedPlan::allowDowngrade),
        plan.map(RecordedPlan::notAfter),
        plan.flatMap(RecordedPlan::approvalAuthor),
        plan.flatMap(RecordedPlan::onClose).map(ValueReaders::enumWord),
        plan.map(RecordedPlan::stepTimeouts).map(StepTimeoutsView::of));
  }
}
