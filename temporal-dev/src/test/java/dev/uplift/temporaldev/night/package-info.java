@NullMarked
package dev.uplift.temporaldev.night;

import org.jspecify.annotations.NullMarked;
