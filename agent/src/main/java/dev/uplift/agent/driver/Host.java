package dev.uplift.agent.driver;

import dev.uplift.agent.files.FileOps;
import java.util.function.Supplier;

/// The host that a driver works on.
///
/// @param bootId another one after every boot
public record Host(String tenant, String name, FileOps files, Supplier<String> bootId) {}
