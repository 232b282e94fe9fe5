package dev.uplift.services.webhook;

import java.time.Duration;

/// Limits of webhooks.
///
/// @param allowsPrivateReceivers whether they may be sent to addresses that are not of the Internet, and without TLS
/// @param disableAfter how long a receiver may fail without a success in between
public record WebhookSettings(boolean allowsPrivateReceivers, Duration disableAfter) {}
