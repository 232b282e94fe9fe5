/// Work that a server repeats: [dev.uplift.services.scheduling.PeriodicTasks].
@NullMarked
package dev.uplift.services.scheduling;

import org.jspecify.annotations.NullMarked;
