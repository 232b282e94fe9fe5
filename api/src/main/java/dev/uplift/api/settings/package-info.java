/// What the server is told by its environment, read and checked before anything is started.
///
/// Start at [Settings]. Every fault is named by its variable; all are told at once.
@NullMarked
package dev.uplift.api.settings;

import org.jspecify.annotations.NullMarked;
