/// Processes that end with this JVM, links between them that can be cut, waits for what they do, and questions to the
/// operating system.
///
/// Start at [Reaper], which ends whatever is left when this JVM dies. `ReaperTest` kills JVMs to check that.
@NullMarked
package dev.uplift.temporaldev.process;

import org.jspecify.annotations.NullMarked;
