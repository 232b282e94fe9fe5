/// What rollouts promise to those who manage them.
@NullMarked
package dev.uplift.api.rollouts;

import org.jspecify.annotations.NullMarked;
