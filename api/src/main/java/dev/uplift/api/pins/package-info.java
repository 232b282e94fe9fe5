/// Packages that stay at a version on a device, holds of many devices at once, and the stop of a tenant. Start at
/// [PinController].
@NullMarked
package dev.uplift.api.pins;

import org.jspecify.annotations.NullMarked;
