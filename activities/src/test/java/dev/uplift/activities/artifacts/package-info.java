/// The addresses of artifacts.
@NullMarked
package dev.uplift.activities.artifacts;

import org.jspecify.annotations.NullMarked;
