/// Tests of the archive, with files.
@NullMarked
package dev.uplift.services.archive;

import org.jspecify.annotations.NullMarked;
