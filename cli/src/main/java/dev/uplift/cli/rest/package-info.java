/// A client of the server's REST interface: JSON over HTTP, server-sent events, and problems as exceptions.
///
/// Start at [RestClient]. Every failure, from an unreachable server to a wrong field, is a [CliException] with one line
/// for people and an exit code for scripts. Knows no resource and no command.
@NullMarked
package dev.uplift.cli.rest;

import org.jspecify.annotations.NullMarked;
