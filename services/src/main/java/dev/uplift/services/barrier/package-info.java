/// The specification of a barrier as JSON in its row, and the tables that barriers work with.
@NullMarked
package dev.uplift.services.barrier;

import org.jspecify.annotations.NullMarked;
