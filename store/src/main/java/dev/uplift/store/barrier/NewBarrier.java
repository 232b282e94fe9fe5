package dev.uplift.store.barrier;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.barrier.BarrierId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/// A barrier that is to be recorded.
///
/// @param spec JSON: what it asks for
/// @param migratedBy the device whose upgrade is the migration; empty: others migrate and say when it is done
/// @param reason why its devices are held, for people
/// @param hosts that are to halt, by their device
/// @param deadlineAt by when
/// @param untilAt when they resume by themselves
public record NewBarrier(
    BarrierId id,
    String packageName,
    String spec,
    Optional<String> migratedBy,
    String reason,
    SortedMap<String, List<HostId>> hosts,
    Instant deadlineAt,
    Instant untilAt) {}
