/// Moves what ended long ago from the tables to files, or removes it, so that the tables stay as large as the work of a
/// year or so. Start at [Archiver]; the rows and what keeps them in the tables are a matter of `store.archive`.
@NullMarked
package dev.uplift.services.archive;

import org.jspecify.annotations.NullMarked;
