/// Where hosts fetch artifacts: addresses that the server gives away in commands and honours later.
///
/// [ArtifactUrlSigner] is used on both sides: what mints commands, and what answers requests.
@NullMarked
package dev.uplift.services.artifacts;

import org.jspecify.annotations.NullMarked;
