package dev.uplift.api.rollouts;

import dev.uplift.api.timeouts.StepTimeoutsView;
import dev.uplift.fleet.StepTimeouts;
import dev.uplift.services.rollout.RolloutPreview;
import dev.uplift.services.rollout.RolloutSpec;
import dev.uplift.store.rollout.RolloutMembership.ExcludedDevice;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The result of planning a rollout without creating it.
///
/// @param id that it would have; given with the real request it has the same canaries
/// @param excludedByReason how many are selected and take no part, by reason
/// @param excludedDevices the first of them
/// @param lastWindowOpensAt when the device could start whose window opens last; waves, soaks and limits come on top;
///   absent: no window keeps any waiting
/// @param stepTimeouts in force: those of the plan, else of the release, else of the server
/// @param plan as it would be in force, defaults included
@Serdeable
record RolloutPreviewView(
    String id,
    int devices,
    List<PreviewWaveView> waves,
    Map<String, Long> excludedByReason,
    List<ExcludedDeviceView> excludedDevices,
    Instant firstStartAt,
    Optional<Instant> lastWindowOpensAt,
    List<String> warnings,
    StepTimeoutsView stepTimeouts,
    @Schema(implementation = RolloutRequest.class) Map<String, Object> plan) {
  private static final int MAX_EXCLUDED_DEVICES = 100;

  /// @param devices so many
  /// @param sample the first few in the order of their starts
  @Serdeable
  record PreviewWaveView(int number, String title, int devices, List<String> sample) {}

  /// The devices that are selected and take no part.
  ///
  /// @param reason for programs
  /// @param message for people
  @Serdeable
  record ExcludedDeviceView(String device, String reason, String message) {
    static ExcludedDeviceView of(ExcludedDevice one) {
      return new ExcludedDeviceView(one.device(), one.reason(), one.detail());
    }
  }

  static RolloutPreviewView of(String id, RolloutPreview rolloutPreview, RolloutSpec spec, StepTimeouts stepTimeouts) {
    return new RolloutPreviewView(
        id,
        rolloutPreview.devices(),
        rolloutPreview.waves().stream()
            .map(wave -> new PreviewWaveView(wave.number(), wave.title(), wave.devices(), wave.sample()))
            .toList(),
        rolloutPreview.excluded().stream()
            .collect(Collectors.groupingBy(ExcludedDevice::reason, TreeMap::new, Collectors.counting())),
        rolloutPreview.excluded().stream().limit(MAX_EXCLUDED_DEVICES).map(ExcludedDeviceView::of).toList(),
        rolloutPreview.firstStart(),
        rolloutPreview.lastStart(),
        rolloutPreview.warnings(),
        StepTimeoutsView.of(stepTimeouts),
        RolloutRequest.of(spec).toMap());
  }
}
