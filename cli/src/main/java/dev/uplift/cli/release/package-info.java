/// Makes and signs releases, offline: a key, an artifact's file and a few words in, `release.json`
/// and `release.sig` out.
///
/// Start at [UnsignedRelease]. Nothing here talks to a server, so that a release key can live on a
/// machine that has no network. The formats are those of `docs/protocol.md`; `ReleaseSignatureTest` holds
/// them with fixed bytes, for agents in the field read them.
@NullMarked
package dev.uplift.cli.release;

import org.jspecify.annotations.NullMarked;
