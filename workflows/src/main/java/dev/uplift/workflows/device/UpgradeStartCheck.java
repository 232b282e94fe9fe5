package dev.uplift.workflows.device;

import dev.uplift.fleet.DeviceFacts;
import java.util.Optional;

/// What the records know when an upgrade begins.
///
/// @param earlierResult how this upgrade ended, if it did so before: then it is not run again
/// @param facts what speaks for or against beginning it
public record UpgradeStartCheck(Optional<UpgradeResult> earlierResult, DeviceFacts facts) {}
