/// Signed releases, exactly as they were published. Start at [ReleaseRepository]. Channels point at them:
/// [ReleaseChannelRepository].
@NullMarked
package dev.uplift.store.release;

import org.jspecify.annotations.NullMarked;
