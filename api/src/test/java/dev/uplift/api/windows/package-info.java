/// What windows of labels promise to those who manage them.
@NullMarked
package dev.uplift.api.windows;

import org.jspecify.annotations.NullMarked;
