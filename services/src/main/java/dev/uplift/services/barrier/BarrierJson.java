package dev.uplift.services.barrier;

import dev.uplift.fleet.barrier.WhenNotHalted;
import dev.uplift.services.barrier.BarrierMigration.Approval;
import dev.uplift.services.barrier.BarrierMigration.DeviceMigration;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.EnumNamingStrategies;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/// The JSON of a barrier that its row keeps. A field may be added to it, none removed or renamed. The REST API has a
/// format of its own.
public final class BarrierJson {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enumNamingStrategy(EnumNamingStrategies.KEBAB_CASE)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  /// The row's JSON.
  ///
  /// @param migrationDevice absent: others migrate
  private record Stored(
      String packageName,
      String selection,
      boolean everything,
      long deadlineSeconds,
      long maxHaltSeconds,
      WhenNotHalted whenNotHalted,
      Optional<String> migrationDevice,
      Optional<String> migrationPackage,
      Optional<String> migrationVersion,
      Optional<String> version) {}

  private BarrierJson() {}

  public static String write(BarrierSpec spec) {
    Optional<DeviceMigration> device =
        spec.migration() instanceof DeviceMigration migration ? Optional.of(migration) : Optional.empty();
    return MAPPER.writeValueAsString(
        new Stored(
            spec.packageName(),
            spec.selection(),
            spec.everything(),
            spec.deadline().toSeconds(),
            spec.maxHalt().toSeconds(),
            spec.whenNotHalted(),
            device.map(DeviceMigration::device),
            device.flatMap(DeviceMigration::packageName),
            device.map(DeviceMigration::version),
            spec.version()));
  }

  /// Reads the text that [#write] has written.
  public static BarrierSpec read(String text) {
    Stored stored = MAPPER.readValue(text, Stored.class);
    return new BarrierSpec(
        stored.packageName(),
        stored.selection(),
        stored.everything(),
        Duration.ofSeconds(stored.deadlineSeconds()),
        Duration.ofSeconds(stored.maxHaltSeconds()),
        stored.whenNotHalted(),
        stored
            .migrationDevice()
            .<BarrierMigration>map(device ->
                new DeviceMigration(device, stored.migrationPackage(), stored.migrationVersion().orElseThrow()))
            .orElseGet(Approval::new),
        stored.version());
  }
}
