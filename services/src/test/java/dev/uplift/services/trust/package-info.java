/// Tests of trust roots and command keys.
@NullMarked
package dev.uplift.services.trust;

import org.jspecify.annotations.NullMarked;
