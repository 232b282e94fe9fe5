/// Policies on the command line: rules that roll releases out by themselves.
@NullMarked
package dev.uplift.cli.policy;

import org.jspecify.annotations.NullMarked;
