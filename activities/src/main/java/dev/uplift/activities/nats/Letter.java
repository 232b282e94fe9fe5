package dev.uplift.activities.nats;

/// A command as it lies in a host's slot.
///
/// @param id also its message id: the stream takes it once
/// @param epoch a slot never goes back to a lower one
/// @param body exactly as it was signed
/// @param signature the value of the header
public record Letter(String id, long epoch, String body, String signature) {}
