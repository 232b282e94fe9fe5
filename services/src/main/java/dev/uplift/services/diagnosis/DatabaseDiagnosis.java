package dev.uplift.services.diagnosis;

import dev.uplift.store.Database;
import dev.uplift.store.DatabaseUnavailable;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/// Checks whether the database answers, its version and its clock.
@Singleton
public final class DatabaseDiagnosis implements DiagnosisCheck {
  private static final String PART = "database";

  private final Database database;
  private final InstantSource clock;

  public DatabaseDiagnosis(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  @Override
  public List<DiagnosisFinding> diagnose() {
    try {
      Instant before = clock.instant();
      Database.DatabaseProduct product = database.product();
      return List.of(
          DiagnosisFinding.ok(PART, product.name() + " answers"),
          ClockComparison.judge(PART, before, product.time(), clock.instant()));
    } catch (DatabaseUnavailable e) {
      return List.of(
          DiagnosisFinding.critical(
              PART,
              String.valueOf(e.getMessage()),
              "start it, or correct UPLIFT_DATABASE_URL; servers continue by themselves"));
    }
  }
}
