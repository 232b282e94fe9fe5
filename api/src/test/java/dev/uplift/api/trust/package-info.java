/// Tests of trust roots over REST.
@NullMarked
package dev.uplift.api.trust;

import org.jspecify.annotations.NullMarked;
