/// What the activities of policies do.
@NullMarked
package dev.uplift.activities.policy;

import org.jspecify.annotations.NullMarked;
