/// Artifacts: the files of releases. Operators upload them ([ArtifactController]), one folder stores them by digest
/// ([ArtifactFolder]), and hosts download them ([ArtifactDownloadController]).
@NullMarked
package dev.uplift.api.artifacts;

import org.jspecify.annotations.NullMarked;
