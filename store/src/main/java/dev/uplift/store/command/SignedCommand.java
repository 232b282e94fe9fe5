package dev.uplift.store.command;

/// A command as it is sent.
///
/// @param id as in its body
/// @param body the exact text that is signed
/// @param signature as sent in the header
public record SignedCommand(String id, String body, String signature) {}
