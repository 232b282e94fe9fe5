package dev.uplift.workflows.device;

import dev.uplift.fleet.rollout.plan.WindowRule.OnClose;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// What maintenance windows mean to an upgrade: no host is touched before one is open.
///
/// @param awaitProceed whether it waits, once it has prepared, until its rollout lets it go on
/// @param onClose what becomes of the device if its window closes while it is in work
/// @param requiredTime how much of a window has to be left when the first host is touched
/// @param openUntil when the window closes that it was started in, and that had room for all of it;
///   empty if it was started outside of one
/// @param additionalWindows windows that count besides those of the device and of its labels, as the records
///   write them; empty: none
public record WindowPolicy(
    boolean awaitProceed,
    OnClose onClose,
    Duration requiredTime,
    Optional<Instant> openUntil,
    String additionalWindows) {}
