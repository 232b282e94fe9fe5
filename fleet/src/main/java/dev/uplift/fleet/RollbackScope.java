package dev.uplift.fleet;

/// How much is rolled back when a host fails.
public enum RollbackScope {
  HOST,
  DEVICE,
  NONE;

  /// Returns whether a host with this progress is rolled back.
  public boolean covers(Progress progress) {
    return switch (this) {
      case HOST -> progress == Progress.CHANGED;
      case DEVICE -> progress == Progress.CHANGED || progress == Progress.UPGRADED;
      case NONE -> false;
    };
  }
}
