package dev.uplift.temporaldev;

import java.nio.file.Path;

/// A part's place in its stack: its name in messages, the folder it works in, and the marks of its
/// processes and of all of the stack's.
record Seat(String name, Path folder, Tag tag, Tag stack) {}
