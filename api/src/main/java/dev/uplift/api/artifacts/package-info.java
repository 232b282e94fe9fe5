/// Artifacts: what releases consist of. They come in from people ([ArtifactController]), lie in one
/// folder by what they are ([ArtifactFolder]), and are fetched by hosts ([ArtifactDownloadController]).
@NullMarked
package dev.uplift.api.artifacts;

import org.jspecify.annotations.NullMarked;
