/// The maintenance windows that stand in tables, as [dev.uplift.fleet.window] understands them.
///
/// [WindowJson] is how they are written down; [TenantWindows] puts those of a device and of its
/// labels together.
@NullMarked
package dev.uplift.services.window;

import org.jspecify.annotations.NullMarked;
