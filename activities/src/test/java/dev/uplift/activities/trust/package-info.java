/// Roots and the keys of commands.
@NullMarked
package dev.uplift.activities.trust;

import org.jspecify.annotations.NullMarked;
