/// The command `uplift`: a REST client for people and scripts, and the local stack.
@NullMarked
package dev.uplift.cli;

import org.jspecify.annotations.NullMarked;
