/// Releases: signed elsewhere, admitted here, immutable. Start at [ReleaseController].
@NullMarked
package dev.uplift.api.releases;

import org.jspecify.annotations.NullMarked;
