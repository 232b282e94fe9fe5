package dev.uplift.api.beans;

import dev.uplift.api.settings.Settings;
import dev.uplift.store.Database;

/// The database, opened before anything else is started: without it there is nothing to do. The
/// application closes it.
public record OpenDatabase(Database database) {
  public static OpenDatabase of(Settings settings) {
    return new OpenDatabase(Database.open(settings.database()));
  }
}
