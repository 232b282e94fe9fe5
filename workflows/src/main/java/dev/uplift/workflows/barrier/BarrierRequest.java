package dev.uplift.workflows.barrier;

import dev.uplift.fleet.barrier.BarrierAction;

/// A request of a person or a program to a barrier.
///
/// @param id chosen by the caller: the same id is the same request
/// @param by who
/// @param reason in their own words; may be empty
/// @param address that it came from
public record BarrierRequest(String id, BarrierAction action, String by, String reason, String address) {}
