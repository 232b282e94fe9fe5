/// Tests of rollouts.
@NullMarked
package dev.uplift.api.notify;

import org.jspecify.annotations.NullMarked;
