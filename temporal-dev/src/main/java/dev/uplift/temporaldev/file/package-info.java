/// Archives, file trees and recursive deletion. Knows nothing else of ours.
@NullMarked
package dev.uplift.temporaldev.file;

import org.jspecify.annotations.NullMarked;
