/// Maintenance windows, in the form of the command line and in the form of REST.
@NullMarked
package dev.uplift.cli.window;

import org.jspecify.annotations.NullMarked;
