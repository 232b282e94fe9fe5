/// Maintenance windows as the tables store them.
///
/// [WindowJson] reads and writes them, [TenantWindows] combines those of a device and its labels.
/// [dev.uplift.fleet.window] says what they mean.
@NullMarked
package dev.uplift.services.window;

import org.jspecify.annotations.NullMarked;
