package dev.uplift.api.rollouts;

import dev.uplift.activities.rollout.Preview;
import dev.uplift.store.Membership.LeftOut;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// What a rollout would be.
///
/// @param id that it would have; given with the real request it has the same canaries
/// @param leftOut how many are selected and take no part, by reason
/// @param leftOutDevices the first of them
/// @param lastStart when the device could start whose window opens last; waves, soaks and limits
///   come on top; absent: no window keeps any waiting
@Serdeable
record PreviewView(
    String id,
    int devices,
    List<WaveView> waves,
    Map<String, Long> leftOut,
    List<LeftOutView> leftOutDevices,
    Instant firstStart,
    Optional<Instant> lastStart,
    List<String> warnings) {
  private static final int MOST_LEFT_OUT = 100;

  /// @param devices so many
  /// @param sample the first few in the order of their starts
  @Serdeable
  record WaveView(int number, String title, int devices, List<String> sample) {}

  /// Who is selected and takes no part.
  ///
  /// @param reason for programs
  /// @param detail for people
  @Serdeable
  record LeftOutView(String device, String reason, String detail) {
    static LeftOutView of(LeftOut one) {
      return new LeftOutView(one.device(), one.reason(), one.detail());
    }
  }

  static PreviewView of(String id, Preview preview) {
    return new PreviewView(
        id,
        preview.devices(),
        preview.waves().stream()
            .map(wave -> new WaveView(wave.number(), wave.title(), wave.devices(), wave.sample()))
            .toList(),
        preview.leftOut().stream()
            .collect(Collectors.groupingBy(LeftOut::reason, TreeMap::new, Collectors.counting())),
        preview.leftOut().stream().limit(MOST_LEFT_OUT).map(LeftOutView::of).toList(),
        preview.firstStart(),
        preview.lastStart(),
        preview.warnings());
  }
}
