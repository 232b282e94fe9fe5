/// Policies over REST: what they ask for, how they stand, and which apply to a device. Start at [PolicyController].
@NullMarked
package dev.uplift.api.policies;

import org.jspecify.annotations.NullMarked;
