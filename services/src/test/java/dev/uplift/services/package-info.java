/// Servers and releases that the tests of `services` and `activities` share.
@NullMarked
package dev.uplift.services;

import org.jspecify.annotations.NullMarked;
