/// The tables: what was ordered, what was said, what there is. Knows `fleet` and nothing else of
/// ours.
@NullMarked
package dev.uplift.store;

import org.jspecify.annotations.NullMarked;
