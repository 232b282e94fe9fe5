/// Key pairs and trust roots, as files that only their owner may read.
///
/// Start at [RootFolder]: the roots of one tenant, `1.root.json` and `1.root.sig`, `2.root.json` and so on, best kept
/// under version control. Everything but `publish` and `fetch` works offline, so that keys can live on machines without
/// a network. Formats and checks are those of `dev.uplift.protocol`, which agents use as well.
@NullMarked
package dev.uplift.cli.keys;

import org.jspecify.annotations.NullMarked;
