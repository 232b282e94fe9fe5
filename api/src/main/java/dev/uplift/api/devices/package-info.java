/// Devices: their hosts, labels, windows and holds. Start at [DeviceController].
@NullMarked
package dev.uplift.api.devices;

import org.jspecify.annotations.NullMarked;
