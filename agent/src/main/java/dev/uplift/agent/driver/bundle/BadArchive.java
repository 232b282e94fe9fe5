package dev.uplift.agent.driver.bundle;

import java.io.IOException;

/// An archive that is not what it should be, or tries what it must not.
public final class BadArchive extends IOException {
  private static final long serialVersionUID = 1;

  public BadArchive(String text) {
    super(text);
  }
}
