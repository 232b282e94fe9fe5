@NullMarked
package dev.uplift.temporaldev.chaos;

import org.jspecify.annotations.NullMarked;
