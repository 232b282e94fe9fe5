package dev.uplift.agent.driver;

import dev.uplift.agent.TestCommandBuilder;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.protocol.ReleaseManifest.Artifact;
import dev.uplift.protocol.WireErrorClass;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/// Makes commands as the server would.
public final class TestJobs {
  private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
  private static final AtomicInteger IDS = new AtomicInteger();

  private TestJobs() {}

  public static ReleaseManifest release(
      String kind, String version, Optional<Artifact> artifact, Map<String, String> arguments) {
    return new ReleaseManifest("shopd", kind, version, 1, artifact, new TreeMap<>(arguments), List.of(), NOW);
  }

  /// A command with an id of its own.
  ///
  /// @param version that the work is to lead to
  public static FakeJob job(
      CommandAction commandAction, String version, ReleaseManifest release, FakeJob.Source source) {
    return job("command-" + IDS.incrementAndGet(), commandAction, version, release, source);
  }

  public static FakeJob job(
      String id, CommandAction commandAction, String version, ReleaseManifest release, FakeJob.Source source) {
    Command command =
        new TestCommandBuilder(commandAction)
            .target("shopd", version)
            .times(NOW, NOW.plusSeconds(3600))
            .release("{}", "none")
            .digest(release.artifact().map(Artifact::sha256).orElse(""))
            .build(id, "acme", "till-1", 1);
    return new FakeJob(command, release, source);
  }

  public static FakeJob job(CommandAction commandAction, String version, ReleaseManifest release) {
    return job(
        commandAction,
        version,
        release,
        _ -> {
          throw new AssertionError("nothing is to be fetched");
        });
  }

  /// Returns the code and the class of an error, or any other result as its text.
  public static String failure(CommandResult commandResult) {
    return commandResult instanceof CommandResult.Failed(String code, WireErrorClass wireErrorClass, String _)
        ? code + " " + wireErrorClass
        : commandResult.toString();
  }
}
