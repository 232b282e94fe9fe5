/// How artifacts are uploaded and downloaded.
@NullMarked
package dev.uplift.api.artifacts;

import org.jspecify.annotations.NullMarked;
