package dev.uplift.cli.device;

import dev.uplift.cli.option.RequestFields;
import picocli.CommandLine.Option;

/// Which devices a command changes.
final class SelectionOptions {
  @Option(
      names = "--selection",
      required = true,
      paramLabel = "EXPRESSION",
      description = "Such as \"labels.chain == 'norte'\".")
  private String selection = "";

  @Option(names = "--everything", description = "Confirm that this may be all devices of the tenant.")
  private boolean everything;

  RequestFields fields() {
    return new RequestFields().put("selection", selection).put("everything", everything);
  }
}
