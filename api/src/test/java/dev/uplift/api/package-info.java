/// Tests of the server's guarantees to its callers, against the real application.
@NullMarked
package dev.uplift.api;

import org.jspecify.annotations.NullMarked;
