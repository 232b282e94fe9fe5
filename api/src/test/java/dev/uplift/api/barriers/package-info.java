/// Tests of the interface of barriers.
@NullMarked
package dev.uplift.api.barriers;

import org.jspecify.annotations.NullMarked;
