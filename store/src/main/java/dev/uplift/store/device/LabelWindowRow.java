package dev.uplift.store.device;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;

/// The maintenance windows of all devices with a value of a label.
///
/// @param windows JSON
/// @param version rises with every change; from 1
@MappedEntity("label_window")
public record LabelWindowRow(
    @Id String label,
    @Id @MappedProperty("label_value") String value,
    String windows,
    long version,
    String changedBy,
    Instant changedAt) {}
