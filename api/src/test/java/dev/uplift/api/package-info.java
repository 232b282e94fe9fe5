/// The promises of the server to its callers, each test against the real application.
@NullMarked
package dev.uplift.api;

import org.jspecify.annotations.NullMarked;
