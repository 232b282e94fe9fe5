package dev.uplift.store.device;

import java.time.Instant;

/// The maintenance windows of all devices with a value of a label.
///
/// @param windows JSON
/// @param version rises with every change; from 1
public record LabelWindowRow(
    String label,
    String value,
    String windows,
    long version,
    String changedBy,
    Instant changedAt) {}
