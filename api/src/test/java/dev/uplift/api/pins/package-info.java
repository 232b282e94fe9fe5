@NullMarked
package dev.uplift.api.pins;

import org.jspecify.annotations.NullMarked;
