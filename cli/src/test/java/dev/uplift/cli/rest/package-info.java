/// Tests of the package of the same name.
@NullMarked
package dev.uplift.cli.rest;

import org.jspecify.annotations.NullMarked;
