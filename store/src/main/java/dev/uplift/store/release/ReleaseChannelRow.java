package dev.uplift.store.release;

import dev.uplift.fleet.Release;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;

/// The release that a channel of a package points at.
///
/// @param revision rises with every move; from 1
@MappedEntity("release_channel")
public record ReleaseChannelRow(
    @Id String tenant,
    @Id @MappedProperty("package") String packageName,
    @Id String channel,
    String version,
    String movedBy,
    Instant movedAt,
    long revision) {
  public Release release() {
    return new Release(packageName, version);
  }
}
