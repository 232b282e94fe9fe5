/// Whether this process can work, for what started it. Start at [HealthController].
@NullMarked
package dev.uplift.api.health;

import org.jspecify.annotations.NullMarked;
