package dev.uplift.agent.download;

import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// Whoever waits for a download.
///
/// @param cancelled whether it is to be broken off
/// @param progress gets a line for people, about once a second
public record DownloadControl(BooleanSupplier cancelled, Consumer<String> progress) {}
