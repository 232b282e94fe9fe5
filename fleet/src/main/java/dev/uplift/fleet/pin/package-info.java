/// Packages that stay at a version on a device, by the word of an operator or of the owner of a host, and tenants in
/// which nothing new begins. Start at [Pin].
@NullMarked
package dev.uplift.fleet.pin;

import org.jspecify.annotations.NullMarked;
