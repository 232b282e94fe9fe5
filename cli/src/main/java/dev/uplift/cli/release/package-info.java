/// Makes, signs and publishes releases: a key, an artifact's file and a description in, `release.json` and
/// `release.sig` out.
///
/// Start at [UnsignedRelease]. Signing works offline, so that a release key can live on a machine without a network.
/// The formats are those of `docs/protocol.md`; `ReleaseSignatureTest` fixes their bytes, because agents in the field
/// read them.
@NullMarked
package dev.uplift.cli.release;

import org.jspecify.annotations.NullMarked;
