/// Work that a server repeats: [dev.uplift.services.scheduling.PeriodicTasks], and looking after files that change:
/// [dev.uplift.services.scheduling.FileWatcher].
@NullMarked
package dev.uplift.services.scheduling;

import org.jspecify.annotations.NullMarked;
