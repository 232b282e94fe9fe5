/// The command `uplift`: a REST client for people and scripts, and the local stack.
///
/// Start at [Main], which lists the commands. Each command is a method of a class named after its
/// noun and does little more than one REST call; [dev.uplift.cli.rest] makes the calls,
/// [dev.uplift.cli.text] shows what comes back. `demo`, `up` and `bench` bring a whole stack of
/// their own (package `dev.uplift.cli.stack`).
///
/// Knows the server by its REST interface alone, as everybody else does: what this command can do,
/// a script with `curl` can. `ArchitectureTest` sees to that.
@NullMarked
package dev.uplift.cli;

import org.jspecify.annotations.NullMarked;
