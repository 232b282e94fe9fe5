/// The records of upgrades in tables.
///
/// [DeviceRecordsActivities] is called by every upgrade at its start and its end; [UpgradeReconciler] closes the rows
/// of upgrades whose workflow no longer can.
@NullMarked
package dev.uplift.activities.device;

import org.jspecify.annotations.NullMarked;
