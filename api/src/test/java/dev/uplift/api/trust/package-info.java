/// Roots over HTTP.
@NullMarked
package dev.uplift.api.trust;

import org.jspecify.annotations.NullMarked;
