/// Who waits is told of what has changed. [Wake] is all there is.
@NullMarked
package dev.uplift.api.wake;

import org.jspecify.annotations.NullMarked;
