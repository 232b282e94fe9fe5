/// Tests of what the reconcilers have in common.
@NullMarked
package dev.uplift.activities.reconciler;

import org.jspecify.annotations.NullMarked;
