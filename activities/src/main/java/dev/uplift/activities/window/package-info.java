/// The maintenance windows that stand in tables, as [dev.uplift.fleet.window] understands them.
///
/// [WindowTexts] is how they are written down; [SiteWindows] puts those of a device and of its
/// labels together.
@NullMarked
package dev.uplift.activities.window;

import org.jspecify.annotations.NullMarked;
