package dev.uplift.workflows.device;

/// Somebody's word that is asked for before a host is touched.
///
/// @param author whose own word does not count
public record RequiredApproval(String author) {}
