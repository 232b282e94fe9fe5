/// Which releases are admitted.
@NullMarked
package dev.uplift.api.releases;

import org.jspecify.annotations.NullMarked;
