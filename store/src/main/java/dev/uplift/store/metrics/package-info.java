/// Counts over all tenants, for metrics. Each statement reads what is open, which is bounded by what servers work on at
/// the same time, or an index.
@NullMarked
package dev.uplift.store.metrics;

import org.jspecify.annotations.NullMarked;
