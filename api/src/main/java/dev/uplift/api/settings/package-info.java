/// The settings of the server, read from its environment and checked before anything starts.
///
/// Start at [ServerConfiguration] and [ConnectionConfiguration], which list them. Every fault is reported at once, by
/// its variable.
@NullMarked
package dev.uplift.api.settings;

import org.jspecify.annotations.NullMarked;
