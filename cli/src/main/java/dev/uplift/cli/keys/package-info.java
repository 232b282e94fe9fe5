/// Keys and roots, offline: what `uplift keys` and `uplift release sign` do with files.
///
/// Start at [RootFolder]: the roots of one tenant, `1.root.json` and `1.root.sig`, `2.root.json`
/// and so on, best kept under version control. Nothing here talks to a server, so that keys can
/// live on machines that have no network. Formats and checks are those of `dev.uplift.protocol`,
/// the same that agents use.
@NullMarked
package dev.uplift.cli.keys;

import org.jspecify.annotations.NullMarked;
