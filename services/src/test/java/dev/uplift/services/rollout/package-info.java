/// Plans, their JSON, and previews, over tables in memory.
@NullMarked
package dev.uplift.services.rollout;

import org.jspecify.annotations.NullMarked;
