package dev.uplift.store.device;

import dev.uplift.fleet.HostId;
import dev.uplift.store.TextColumn;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What a host runs and can install: the part of [HostRow] that is read of whole fleets.
///
/// @param device that it is on; empty for one that only spoke
/// @param versions package to version, by info or beat, whichever is newer
/// @param infoVersions those of its info; empty if it never spoke
/// @param drivers as in [HostInfo]; empty if it never spoke
@MappedEntity("host")
public record HostSoftware(
    @Id @MappedProperty(value = "name", converter = TextColumn.class) HostId host,
    @MappedProperty(converter = TextColumn.class) Optional<String> device,
    @MappedProperty(converter = TextColumn.class) Map<String, String> versions,
    @MappedProperty(converter = TextColumn.class) Optional<Map<String, String>> infoVersions,
    @MappedProperty(converter = TextColumn.class) Optional<List<String>> drivers) {}
