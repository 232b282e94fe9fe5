/// What is known about a device between upgrades, and what is done about an upgrade that nobody
/// will bring to its end any more.
///
/// [DeviceRecordsActivities] is what a workflow asks at its beginning and tells at its end; [UpgradeReconciler]
/// closes the rows of those that cannot.
@NullMarked
package dev.uplift.activities.device;

import org.jspecify.annotations.NullMarked;
