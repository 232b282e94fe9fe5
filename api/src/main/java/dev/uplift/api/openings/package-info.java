/// When a device may be changed, as clients see it.
@NullMarked
package dev.uplift.api.openings;

import org.jspecify.annotations.NullMarked;
