@NullMarked
package dev.uplift.temporaldev.rolling;

import org.jspecify.annotations.NullMarked;
