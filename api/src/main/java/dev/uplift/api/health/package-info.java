/// Whether this process can do its work, for whoever started it. Start at [HealthController].
@NullMarked
package dev.uplift.api.health;

import org.jspecify.annotations.NullMarked;
