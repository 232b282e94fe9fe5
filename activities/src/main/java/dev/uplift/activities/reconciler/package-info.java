/// Watches workflows that do not continue. The reconcilers of upgrades and rollouts report to [FailingWorkflowMonitor],
/// and are in the packages of what they reconcile.
@NullMarked
package dev.uplift.activities.reconciler;

import org.jspecify.annotations.NullMarked;
