/// The tables of barriers. Start at [BarrierRepository]; what a barrier asks for is text to this package.
@NullMarked
package dev.uplift.store.barrier;

import org.jspecify.annotations.NullMarked;
