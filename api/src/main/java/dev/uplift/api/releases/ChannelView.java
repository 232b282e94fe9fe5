package dev.uplift.api.releases;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.uplift.store.release.ReleaseChannelRow;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;

/// A channel as clients see it.
///
/// @param version of the release that it points at
/// @param movedBy who pointed it there
/// @param revision rises with every move; also the ETag
@Serdeable
record ChannelView(
    @JsonProperty("package") String packageName,
    String channel,
    String version,
    String movedBy,
    Instant movedAt,
    long revision) {
  static ChannelView of(ReleaseChannelRow row) {
    return new ChannelView(
        row.packageName(), row.channel(), row.version(), row.movedBy(), row.movedAt(), row.revision());
  }
}
