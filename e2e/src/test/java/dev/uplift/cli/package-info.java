/// Holds the command line against the OpenAPI document, which is generated when `api` is compiled.
@NullMarked
package dev.uplift.cli;

import org.jspecify.annotations.NullMarked;
