/// Tests of the connection to Temporal.
@NullMarked
package dev.uplift.activities.temporal;

import org.jspecify.annotations.NullMarked;
