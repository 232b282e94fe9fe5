package dev.uplift.workflows.device;

import dev.uplift.fleet.Findings;
import java.util.Optional;

/// What the records know when an upgrade begins.
///
/// @param ended how this upgrade ended, if it did so before: then it is not run again
/// @param found what speaks for or against beginning it
public record Beginning(Optional<Ending> ended, Findings found) {}
