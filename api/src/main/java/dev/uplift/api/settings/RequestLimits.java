package dev.uplift.api.settings;

import java.time.Duration;

/// What a client may take of the server before its request is complete.
///
/// @param timeout how long it may take to send the head of a request, and each 64 KiB of its body
public record RequestLimits(Duration timeout) {}
