package dev.uplift.api.barriers;

import io.micronaut.serde.annotation.Serdeable;
import java.util.List;

/// The devices and hosts that a barrier would halt if it was started now.
///
/// @param sample the first of its devices
@Serdeable
record BarrierPreviewView(int devices, int hosts, List<String> sample) {}
