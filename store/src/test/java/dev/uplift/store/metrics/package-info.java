@NullMarked
package dev.uplift.store.metrics;

import org.jspecify.annotations.NullMarked;
