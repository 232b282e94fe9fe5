/// Tests of planned reverts, over tables in memory.
@NullMarked
package dev.uplift.services.upgrade;

import org.jspecify.annotations.NullMarked;
