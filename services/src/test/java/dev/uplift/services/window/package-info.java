/// Tests of windows as JSON.
@NullMarked
package dev.uplift.services.window;

import org.jspecify.annotations.NullMarked;
