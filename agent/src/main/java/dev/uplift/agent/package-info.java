/// The process on a host: takes commands, carries them out, says what it sees.
///
/// Start at [Agent], which puts everything together with plain constructors: no framework, no reflection, for memory is
/// short on a host. `core` is what an agent does, `driver` how a package is brought to a host, `link` the way to the
/// server, `ops` what is remembered, `files` the one way to the disk. Stateless means: what it knows is what is on the
/// disk anyway.
@NullMarked
package dev.uplift.agent;

import org.jspecify.annotations.NullMarked;
