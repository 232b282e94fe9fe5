/// Moves records that ended long ago out of the tables, to be written to files. Start at [ArchiveRepository].
@NullMarked
package dev.uplift.store.archive;

import org.jspecify.annotations.NullMarked;
