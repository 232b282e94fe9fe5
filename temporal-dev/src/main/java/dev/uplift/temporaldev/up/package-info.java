/// The stack on this machine: `up` keeps one running, `agent` runs a host of it by hand.
///
/// The stack itself, processes and folders, is [dev.uplift.temporaldev.stack.Stack]; this package is its command line.
@NullMarked
package dev.uplift.temporaldev.up;

import org.jspecify.annotations.NullMarked;
