/// Maintenance windows as clients write and read them, and those of all devices with a label.
///
/// Start at [WindowView]. What a window means is decided in `fleet`.
@NullMarked
package dev.uplift.api.windows;

import org.jspecify.annotations.NullMarked;
