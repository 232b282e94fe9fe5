/// The operator's command `uplift`: a REST client for people and scripts.
///
/// Start at [Main], which lists the commands. Each package below is one noun of the command line; each command is a
/// method of a class named after its noun and does little more than one REST call. [dev.uplift.cli.rest] makes the
/// calls, [dev.uplift.cli.text] shows the results.
///
/// Knows the server by its REST interface alone: whatever this command can do, a script with `curl` can do too.
/// `ArchitectureTest` enforces that.
@NullMarked
package dev.uplift.cli;

import org.jspecify.annotations.NullMarked;
