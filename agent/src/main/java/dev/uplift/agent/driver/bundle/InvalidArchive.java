package dev.uplift.agent.driver.bundle;

import java.io.IOException;

/// An archive that is not what it should be, or tries what it must not.
public final class InvalidArchive extends IOException {
  private static final long serialVersionUID = 1;

  public InvalidArchive(String text) {
    super(text);
  }
}
