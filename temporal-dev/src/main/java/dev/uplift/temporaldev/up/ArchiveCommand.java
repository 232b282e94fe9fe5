package dev.uplift.temporaldev.up;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/// Archives once, with the settings of the server.
@Command(
    name = "archive",
    description = {
      "Move upgrades, rollouts, barriers and audit entries that are old enough to files, once, and end.",
      "Works on the database with the settings of the server, in environment variables; a server with",
      "UPLIFT_ARCHIVE_FOLDER does the same every hour. See docs/operating.md, \"Archive\"."
    })
public final class ArchiveCommand implements Callable<Integer> {
  @Override
  public Integer call() {
    return ForegroundProgram.run(ServerCommand.command(List.of("archive")));
  }
}
