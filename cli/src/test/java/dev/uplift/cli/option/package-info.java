/// Tests of the options that several commands share.
@NullMarked
package dev.uplift.cli.option;

import org.jspecify.annotations.NullMarked;
