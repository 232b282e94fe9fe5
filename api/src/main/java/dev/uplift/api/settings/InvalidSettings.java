package dev.uplift.api.settings;

import java.util.List;

/// The environment is not as it should be. The message has one line for each fault.
public final class InvalidSettings extends Exception {
  private static final long serialVersionUID = 1;

  public InvalidSettings(List<String> faults) {
    super(String.join(System.lineSeparator(), faults));
  }
}
