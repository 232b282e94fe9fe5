/// Tests of the explanations over REST.
@NullMarked
package dev.uplift.api.why;

import org.jspecify.annotations.NullMarked;
