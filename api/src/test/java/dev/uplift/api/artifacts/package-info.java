/// How artifacts come in and go out.
@NullMarked
package dev.uplift.api.artifacts;

import org.jspecify.annotations.NullMarked;
