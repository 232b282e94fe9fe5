/// The work of barriers: commands to their hosts, their rows, and the migration. Start at [BarrierStepsActivities].
@NullMarked
package dev.uplift.activities.barrier;

import org.jspecify.annotations.NullMarked;
