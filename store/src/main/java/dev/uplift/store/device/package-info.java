/// Devices, the hosts on them with their last reports, and the maintenance windows of devices and labels. Start at
/// [DeviceRepository] and [HostRepository].
@NullMarked
package dev.uplift.store.device;

import org.jspecify.annotations.NullMarked;
