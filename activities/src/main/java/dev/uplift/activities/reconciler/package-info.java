/// Used by the reconcilers, which are in the packages of what they reconcile: [FaultIsolation] keeps a defect met at
/// one row from the rows after it; to [FailingWorkflowMonitor] they report workflows that do not continue.
@NullMarked
package dev.uplift.activities.reconciler;

import org.jspecify.annotations.NullMarked;
