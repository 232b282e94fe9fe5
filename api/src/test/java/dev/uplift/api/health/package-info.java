/// Tests of health and of the pages.
@NullMarked
package dev.uplift.api.health;

import org.jspecify.annotations.NullMarked;
