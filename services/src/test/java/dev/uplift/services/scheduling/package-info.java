/// Tests of work that a server repeats.
@NullMarked
package dev.uplift.services.scheduling;

import org.jspecify.annotations.NullMarked;
