/// What the server promises to those who call it, each test against the real application.
@NullMarked
package dev.uplift.api;

import org.jspecify.annotations.NullMarked;
