/// The server as a client sees it: JSON over HTTP, and refusals that say what was wrong.
///
/// Start at [RestClient]. Whatever stands in the way of an answer, from a server that is not there to a
/// field that is wrong, is a [CliException] with one line for people and an exit code for scripts.
/// Knows no resource and no command.
@NullMarked
package dev.uplift.cli.rest;

import org.jspecify.annotations.NullMarked;
