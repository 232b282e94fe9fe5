@NullMarked
package dev.uplift.services.metrics;

import org.jspecify.annotations.NullMarked;
