package dev.uplift.cli.bench;

import dev.uplift.cli.rest.CommandFailed;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// What a rollout costs on this machine, and how it keeps its rules.
@Command(
    name = "rollout",
    sortOptions = false,
    description = {
      "Rolls a release out over simulated devices on a stack of its own, and measures that.",
      "Where it stops by itself it is looked at what stopped it, and resumed. Ends with 0 only if"
          + " all devices that do not fail were upgraded, and nothing was started while it had"
          + " stopped."
    })
public final class RolloutBenchCommand implements Callable<Integer> {
  @Option(
      names = "--devices",
      paramLabel = "N",
      defaultValue = "1000",
      description = "How many, with one host each; default: ${DEFAULT-VALUE}.")
  private int devices;

  @Option(
      names = "--waves",
      paramLabel = "N",
      defaultValue = "10",
      description = "Of the same size; default: ${DEFAULT-VALUE}.")
  private int waves;

  @Option(
      names = "--failing",
      paramLabel = "PERCENT",
      defaultValue = "0",
      description = "So many hosts fail and go back; default: ${DEFAULT-VALUE}.")
  private int failing;

  @Option(
      names = "--stop-at",
      paramLabel = "N",
      defaultValue = "5",
      description = "Stops at so many failures of a wave; default: ${DEFAULT-VALUE}.")
  private int stopAt;

  @Option(
      names = "--in-flight",
      paramLabel = "N",
      defaultValue = "500",
      description = "So many at once at most; default: ${DEFAULT-VALUE}.")
  private int inFlight;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      defaultValue = "300",
      description =
          "A rollout over so many of them at most comes first; default: ${DEFAULT-VALUE}.")
  private int warmUp;

  @Option(
      names = "--table",
      paramLabel = "N",
      description =
          "Instead: so many devices are put into the table, and a rollout over all of them is"
              + " checked and not made.")
  private @Nullable Integer table;

  @Mixin private BenchStage stage = new BenchStage();

  @Override
  public Integer call() {
    check();
    return stage.run((stack, phases) ->
        table == null
            ? new RolloutBench(stack, phases, wish()).run()
            : new TableBench(stack, phases, table).run());
  }

  private RolloutBench.Wish wish() {
    return new RolloutBench.Wish(
        devices, waves, failing, stopAt, inFlight, Math.min(warmUp, devices));
  }

  private void check() {
    within("--devices", devices, 2, 99_999);
    within("--waves", waves, 1, Math.min(devices, 100));
    within("--failing", failing, 0, 90);
    within("--stop-at", stopAt, 1, devices);
    within("--in-flight", inFlight, 1, 100_000);
    within("--warm-up", warmUp, 0, 99_999);
    if (table != null) {
      within("--table", table, 100, 1_000_000);
    }
  }

  private static void within(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw CommandFailed.usage(
          "%s: expected %d to %d, found %d".formatted(option, least, most, value));
    }
  }
}
