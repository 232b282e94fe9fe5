@NullMarked
package dev.uplift.store.pin;

import org.jspecify.annotations.NullMarked;
