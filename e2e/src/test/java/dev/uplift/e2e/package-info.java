/// Everything together, on real servers and real agents.
@NullMarked
package dev.uplift.e2e;

import org.jspecify.annotations.NullMarked;
