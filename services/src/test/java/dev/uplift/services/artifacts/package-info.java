/// Tests of signed URLs of artifacts.
@NullMarked
package dev.uplift.services.artifacts;

import org.jspecify.annotations.NullMarked;
