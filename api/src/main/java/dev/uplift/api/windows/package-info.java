/// Maintenance windows as clients write and read them, and those of all devices with a label.
///
/// [WindowsJson] reads them, and the tables keep the text that it writes; what a window means is
/// decided in `fleet`.
@NullMarked
package dev.uplift.api.windows;

import org.jspecify.annotations.NullMarked;
