/// Packages that stay at a version on a device: pins that operators set, and what the owners of hosts hold there. Start
/// at [PinRepository].
@NullMarked
package dev.uplift.store.pin;

import org.jspecify.annotations.NullMarked;
