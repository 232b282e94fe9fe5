/// What the workflows need from the world: NATS, tables, the clock.
@NullMarked
package dev.uplift.activities;

import org.jspecify.annotations.NullMarked;
