/// Every change that the agent makes to the disk.
///
/// Start at [FileOps]. Power may fail between any two of its operations, so all writers keep one order: content, force,
/// rename, force of the folder; a tree is whole only when its marker, written last, is there. Tests use an
/// implementation that ends the process at the n-th operation, or reports a full disk.
@NullMarked
package dev.uplift.agent.files;

import org.jspecify.annotations.NullMarked;
