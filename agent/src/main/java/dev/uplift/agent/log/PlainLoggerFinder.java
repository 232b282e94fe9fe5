package dev.uplift.agent.log;

import java.lang.System.Logger.Level;

/// Every logger of the process, the runtime's own too, writes lines to standard error. The runtime finds it as a
/// service. In place of `java.util.logging`, whose formatter brings the calendars and the texts of a locale, a MiB of
/// them.
public final class PlainLoggerFinder extends System.LoggerFinder {
  private static volatile Level minimumLevel = Level.INFO;

  /// Drops lines below this level from now on.
  public static void setMinimumLevel(Level level) {
    minimumLevel = level;
  }

  static boolean isEnabled(Level level) {
    return level.getSeverity() >= minimumLevel.getSeverity() && level != Level.OFF;
  }

  @Override
  public System.Logger getLogger(String name, Module module) {
    return new PlainLogger(name);
  }
}
