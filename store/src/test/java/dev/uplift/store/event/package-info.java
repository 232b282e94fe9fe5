@NullMarked
package dev.uplift.store.event;

import org.jspecify.annotations.NullMarked;
