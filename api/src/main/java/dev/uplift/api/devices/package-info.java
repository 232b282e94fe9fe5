/// Devices: which there are, of which hosts, and what holds them. Start at [DeviceController].
@NullMarked
package dev.uplift.api.devices;

import org.jspecify.annotations.NullMarked;
