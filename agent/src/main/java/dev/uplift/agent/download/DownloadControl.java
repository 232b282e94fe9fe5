package dev.uplift.agent.download;

import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// The caller of a download.
///
/// @param cancelled whether to stop it
/// @param progress gets a line for operators about once a second
public record DownloadControl(BooleanSupplier cancelled, Consumer<String> progress) {}
