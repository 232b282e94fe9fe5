package dev.uplift.cli.option;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/// Which devices a request is about: an expression, and the confirmation that it may match all devices.
public final class DeviceSelectionOptions {
  @Option(
      names = "--selection",
      paramLabel = "EXPRESSION",
      description = "Which devices: labels.region == 'north' && hosts > 1.")
  @Nullable String selection;

  @Option(names = "--everything", description = "Confirm that the selection may match all devices.")
  boolean everything;

  /// Sets the given ones in the fields `selection` and `everything`.
  public void addTo(RequestFields fields) {
    var _ = fields.put("selection", selection).put("everything", everything);
  }

  /// Returns whether a request confirms that its selection may match all devices, by the option or in a file.
  public static boolean isEverything(ObjectNode body) {
    return body.path("everything").asBoolean(false);
  }
}
