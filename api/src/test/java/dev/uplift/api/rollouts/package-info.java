/// Tests of rollouts.
@NullMarked
package dev.uplift.api.rollouts;

import org.jspecify.annotations.NullMarked;
