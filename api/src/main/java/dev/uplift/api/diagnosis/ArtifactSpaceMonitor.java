package dev.uplift.api.diagnosis;

import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.api.settings.Settings;
import dev.uplift.services.diagnosis.DiagnosisCheck;
import dev.uplift.services.diagnosis.DiagnosisFinding;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Watches the free space of the file system that has the artifacts. A full one refuses new releases, and nothing else.
@Singleton
@RequiresApiRole
public final class ArtifactSpaceMonitor implements DiagnosisCheck {
  private static final String PART = "artifacts";
  private static final int SCARCE_PERCENT = 10;

  /// As much as artifacts leave free by default.
  private static final long SCARCE_BYTES = 1L << 30;

  private static final double MIB = 1 << 20;

  private final Path folder;
  private final MeterRegistry meters;

  ArtifactSpaceMonitor(Settings settings, MeterRegistry meters) {
    this.folder = settings.artifactsFolder();
    this.meters = meters;
  }

  /// Exports free and total space. Once.
  public void export() {
    gauge("uplift.artifacts.free.bytes", "bytes that are free where artifacts are", FileStore::getUsableSpace);
    gauge("uplift.artifacts.total.bytes", "bytes of that file system", FileStore::getTotalSpace);
  }

  private interface SpaceQuery {
    long of(FileStore store) throws IOException;
  }

  private void gauge(String name, String description, SpaceQuery query) {
    Gauge.builder(name, folder, place -> read(place, query)).description(description).register(meters);
  }

  private static double read(Path folder, SpaceQuery query) {
    try {
      return query.of(Files.getFileStore(folder));
    } catch (IOException _) {
      return Double.NaN;
    }
  }

  @Override
  public List<DiagnosisFinding> diagnose() {
    try {
      FileStore store = Files.getFileStore(folder);
      return List.of(
          Files.isWritable(folder)
              ? judge(store.getUsableSpace(), store.getTotalSpace())
              : DiagnosisFinding.critical(
                  PART, "this server may not write to " + folder, "give its user the folder, or mount it writable"));
    } catch (IOException e) {
      return List.of(
          DiagnosisFinding.critical(PART, "%s cannot be read: %s".formatted(folder, e), "mount it, or create it"));
    }
  }

  static DiagnosisFinding judge(long free, long total) {
    String text = "%,.0f MiB of %,.0f are free".formatted(free / MIB, total / MIB);
    return free < SCARCE_BYTES || free * 100.0 < (double) total * SCARCE_PERCENT
        ? DiagnosisFinding.warning(
            PART, text, "enlarge the volume of UPLIFT_ARTIFACTS_FOLDER, or remove what else is there")
        : DiagnosisFinding.ok(PART, text);
  }
}
