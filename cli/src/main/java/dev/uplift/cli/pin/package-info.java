/// Pins of packages on devices, channels of packages, and the stop of a tenant.
@NullMarked
package dev.uplift.cli.pin;

import org.jspecify.annotations.NullMarked;
