package dev.uplift.workflows.device;

import dev.uplift.fleet.rollout.WindowRule.OnClose;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// What maintenance windows mean to an upgrade: no host is touched before one is open.
///
/// @param awaitGo whether it waits, once it has prepared, until its rollout lets it go on
/// @param onClose what becomes of the device if its window closes while it is in work
/// @param takes how much of a window has to be left when the first host is touched
/// @param openUntil when the window closes that it was started in, and that had room for all of it;
///   empty if it was started outside of one
/// @param besides windows that count besides those of the device and of its labels, as the records
///   write them; empty: none
public record WindowTerms(
    boolean awaitGo,
    OnClose onClose,
    Duration takes,
    Optional<Instant> openUntil,
    String besides) {}
