/// Tests of what is told to those who listen.
@NullMarked
package dev.uplift.api.events;

import org.jspecify.annotations.NullMarked;
