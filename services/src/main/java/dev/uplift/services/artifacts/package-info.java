/// Signed URLs by which hosts download artifacts.
///
/// [ArtifactUrlSigner] is used on both sides: by commands, which carry the URLs, and by the server that answers the
/// downloads.
@NullMarked
package dev.uplift.services.artifacts;

import org.jspecify.annotations.NullMarked;
