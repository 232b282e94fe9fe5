/// Tests of devices.
@NullMarked
package dev.uplift.api.devices;

import org.jspecify.annotations.NullMarked;
