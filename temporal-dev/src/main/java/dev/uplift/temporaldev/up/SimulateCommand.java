package dev.uplift.temporaldev.up;

import dev.uplift.cli.rest.CliException;
import dev.uplift.temporaldev.programs.ProgramLocator;
import dev.uplift.temporaldev.stack.RunningStack;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Plays hosts for a stack of `uplift up`.
@Command(
    name = "simulate",
    sortOptions = false,
    description = {
      "Play hosts for `uplift up` until Ctrl-C: the agent's own code, with simulated packages.",
      "Address, credentials and trust are those of the stack. See docs/drivers.md, \"The simulator\"."
    })
public final class SimulateCommand implements Callable<Integer> {
  private static final String SIMULATOR = "dev.uplift.agent.simulator.Simulator";

  @Option(
      names = "--hosts",
      paramLabel = "PATTERN",
      defaultValue = "sim-#####",
      description = "Their names; the row of # becomes the number. Default: ${DEFAULT-VALUE}.")
  private String hosts = "";

  @Option(
      names = "--count",
      paramLabel = "NUMBER",
      defaultValue = "40",
      description = "How many; default: ${DEFAULT-VALUE}.")
  private int count;

  @Option(
      names = "--first",
      paramLabel = "NUMBER",
      defaultValue = "0",
      description = "Number of the first host; default: ${DEFAULT-VALUE}.")
  private int first;

  @Option(
      names = "--package",
      required = true,
      paramLabel = "NAME=VERSION",
      description = "A package and the version that the hosts run at first. May be repeated.")
  private Map<String, String> packages = new TreeMap<>();

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description = "An option of the simulated driver, such as fail_upgrade_percent=20. May be repeated.")
  private Map<String, String> settings = new TreeMap<>();

  @Option(
      names = "--heartbeat-seconds",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description = "Interval of heartbeats; default: ${DEFAULT-VALUE}.")
  private int heartbeatSeconds;

  @Option(names = "--stack", paramLabel = "DIR", description = "Folder of `uplift up`; default: $UPLIFT_STACK_FOLDER.")
  private @Nullable Path stack;

  @Option(names = "--tenant", paramLabel = "NAME", description = "The tenant; default: $UPLIFT_TENANT.")
  private @Nullable String tenant;

  @Override
  public Integer call() {
    RunningStack running = RunningStack.in(Path.of(required(stack, "UPLIFT_STACK_FOLDER")));
    return ForegroundProgram.run(command(running, required(tenant, "UPLIFT_TENANT")));
  }

  private List<String> command(RunningStack running, String tenantName) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--nats",
                running.natsUrl(),
                "--credentials",
                running.fleetCredentials(tenantName).toString(),
                "--trust",
                running.trustFolder(tenantName).toString(),
                "--tenant",
                tenantName,
                "--hosts",
                hosts,
                "--first",
                Integer.toString(first),
                "--count",
                Integer.toString(count),
                "--heartbeat-seconds",
                Integer.toString(heartbeatSeconds)));
    running.caFile().ifPresent(file -> arguments.addAll(List.of("--ca", file.toString())));
    packages.forEach((name, version) -> arguments.addAll(List.of("--package", name + "=" + version)));
    settings.forEach((name, value) -> arguments.addAll(List.of("--set", name + "=" + value)));
    ProgramLocator programs = new ProgramLocator(_ -> {}, Optional.empty(), Optional.empty());
    return ProgramLocator.javaCommand(List.of("-XX:+UseSerialGC"), programs.agent(), SIMULATOR, arguments);
  }

  private static String required(@Nullable Object option, String variable) {
    String value = option == null ? System.getenv().getOrDefault(variable, "") : option.toString();
    if (value.isEmpty()) {
      throw CliException.usageError("needs --stack and --tenant, or: . FOLDER/env of `uplift up`");
    }
    return value;
  }
}
