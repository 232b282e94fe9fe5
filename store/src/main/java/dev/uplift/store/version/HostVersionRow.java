package dev.uplift.store.version;

import dev.uplift.store.TextColumn;
import dev.uplift.store.TimeColumn;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;
import java.util.Optional;

/// A version that a host ran.
///
/// @param number rises with every change of the tenant, and of a host in the order of its reports
/// @param version empty: it did not report the package
/// @param previous the version before; empty: it had not reported the package
/// @param since when it first reported it
/// @param until when it first reported something else; empty: it has not
/// @param upgrade that had changed the host; empty: none had
@MappedEntity("host_version_change")
public record HostVersionRow(
    @Id long number,
    @MappedProperty("package") String packageName,
    @MappedProperty(converter = TextColumn.class) Optional<String> version,
    @MappedProperty(converter = TextColumn.class) Optional<String> previous,
    Instant since,
    @MappedProperty(value = "until_at", converter = TimeColumn.class) Optional<Instant> until,
    @MappedProperty(converter = TextColumn.class) Optional<String> upgrade) {}
