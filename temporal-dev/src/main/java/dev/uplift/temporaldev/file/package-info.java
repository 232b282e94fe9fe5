/// Archives, file trees, recursive deletion and JSON text. Knows nothing else of ours.
@NullMarked
package dev.uplift.temporaldev.file;

import org.jspecify.annotations.NullMarked;
