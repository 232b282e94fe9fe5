/// Where hosts fetch artifacts: addresses that the server gives away in commands and honours later.
///
/// [ArtifactAddresses] is used on both sides: what mints commands, and what answers requests.
@NullMarked
package dev.uplift.activities.artifacts;

import org.jspecify.annotations.NullMarked;
