@NullMarked
package dev.uplift.fleet.pin;

import org.jspecify.annotations.NullMarked;
