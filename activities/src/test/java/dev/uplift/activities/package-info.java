/// The implementations of the workflows' activity interfaces, against real servers. Tests play the
/// hosts.
@NullMarked
package dev.uplift.activities;

import org.jspecify.annotations.NullMarked;
