package dev.uplift.cli.rollout;

import dev.uplift.cli.rollout.RolloutResponse.Counts;
import dev.uplift.cli.rollout.RolloutResponse.Wave;
import dev.uplift.cli.text.Terminal;
import dev.uplift.cli.text.TextFormat;
import java.util.ArrayList;
import java.util.List;

/// Formats a rollout for redrawing in place: a progress bar per wave.
final class RolloutProgressBlock {
  private static final int BAR_WIDTH = 24;
  private static final int MAX_TITLE_WIDTH = 20;

  private final Terminal terminal;

  RolloutProgressBlock(Terminal terminal) {
    this.terminal = terminal;
  }

  List<String> lines(RolloutResponse rollout) {
    List<String> lines = new ArrayList<>();
    lines.add(header(rollout));
    int titles =
        rollout.waves().stream().mapToInt(wave -> Math.min(wave.title().length(), MAX_TITLE_WIDTH)).max().orElse(0);
    rollout.waves().forEach(wave -> lines.add(waveLine(wave, titles)));
    if (!rollout.waitReason().isEmpty()) {
      lines.add(terminal.yellow(TextFormat.truncate("  waiting: " + rollout.waitReason(), terminal.width())));
    }
    return lines;
  }

  private String header(RolloutResponse rollout) {
    String text =
        TextFormat.truncate(
            "%s  %s  %s  %s"
                .formatted(rollout.id(), rollout.release(), rollout.stateOrOutcome(), rollout.counts().summary()),
            terminal.width());
    if (!rollout.hasEnded()) {
      return terminal.bold(text);
    }
    return terminal.bold(rollout.hasSucceeded() ? terminal.green(text) : terminal.yellow(text));
  }

  private String waveLine(Wave wave, int titles) {
    String text =
        "  %3d  %s  %s  %s  %s"
            .formatted(
                wave.number(),
                TextFormat.pad(TextFormat.truncate(wave.title(), MAX_TITLE_WIDTH), titles),
                bar(wave.counts()),
                TextFormat.pad(wave.state(), "running".length()),
                wave.counts().summary());
    String cut = TextFormat.truncate(text, terminal.width());
    if (wave.counts().failed() > 0) {
      return terminal.red(cut);
    }
    return wave.state().equals("pending") ? terminal.dim(cut) : cut;
  }

  /// Formats finished, running, prepared and pending devices. Running devices always take at least one cell, and a bar
  /// is full only if all have finished. Prepared devices wait for their window, and look almost like pending ones.
  static String bar(Counts counts) {
    int done = barCells(counts.finished(), counts.devices());
    int running = Math.max(barCells(counts.finished() + counts.inProgress(), counts.devices()), done);
    if (counts.inProgress() > 0 && running == done) {
      running = Math.min(done + 1, BAR_WIDTH);
      done = running - 1;
    }
    int prepared = Math.max(barCells(counts.finished() + counts.started(), counts.devices()), running);
    return "["
        + "█".repeat(done)
        + "▒".repeat(running - done)
        + ":".repeat(prepared - running)
        + "·".repeat(BAR_WIDTH - prepared)
        + "]";
  }

  private static int barCells(int devices, int all) {
    return all == 0 ? 0 : (int) ((long) devices * BAR_WIDTH / all);
  }
}
