/// Maintenance windows as clients write and read them, and those of all devices with a label.
///
/// [WindowReaders] reads them; what a window means is decided in `fleet`.
@NullMarked
package dev.uplift.api.windows;

import org.jspecify.annotations.NullMarked;
