/// When a device may be touched, as clients see it.
@NullMarked
package dev.uplift.api.openings;

import org.jspecify.annotations.NullMarked;
