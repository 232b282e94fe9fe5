/// Which releases come in.
@NullMarked
package dev.uplift.api.releases;

import org.jspecify.annotations.NullMarked;
