package dev.uplift.agent.driver.bundle;

/// The header of one thing in an archive.
///
/// @param name as the archive has it, not to be trusted
/// @param target of a link, not to be trusted
/// @param size of the content that follows
record TarEntry(String name, Kind kind, int mode, long size, String target) {
  private static final int SET_ID = 0b110_000_000_000;
  private static final int OWNER_EXECUTES = 0b001_000_000;

  enum Kind {
    FILE,
    FOLDER,
    LINK
  }

  boolean isExecutable() {
    return (mode & OWNER_EXECUTES) != 0;
  }

  boolean hasSetId() {
    return (mode & SET_ID) != 0;
  }
}
