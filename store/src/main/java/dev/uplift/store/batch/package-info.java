/// Statements that are executed for many rows at once: [BatchStatement].
@NullMarked
package dev.uplift.store.batch;

import org.jspecify.annotations.NullMarked;
