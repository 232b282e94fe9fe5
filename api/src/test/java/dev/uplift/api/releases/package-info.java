/// Tests of the admission of releases.
@NullMarked
package dev.uplift.api.releases;

import org.jspecify.annotations.NullMarked;
