/// Tests of uploads and downloads of artifacts.
@NullMarked
package dev.uplift.api.artifacts;

import org.jspecify.annotations.NullMarked;
