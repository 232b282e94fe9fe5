/// Roots and the keys of commands.
@NullMarked
package dev.uplift.services.trust;

import org.jspecify.annotations.NullMarked;
