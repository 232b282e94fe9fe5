package dev.uplift.cli.rollout;

import dev.uplift.cli.rollout.RolloutView.Counts;
import dev.uplift.cli.rollout.RolloutView.WaveView;
import dev.uplift.cli.text.Terminal;
import dev.uplift.cli.text.Text;
import java.util.ArrayList;
import java.util.List;

/// A rollout as lines that are drawn again: a progress bar per wave.
final class RolloutBlock {
  private static final int BAR = 24;
  private static final int MOST_OF_A_TITLE = 20;

  private final Terminal terminal;

  RolloutBlock(Terminal terminal) {
    this.terminal = terminal;
  }

  List<String> lines(RolloutView rollout) {
    List<String> lines = new ArrayList<>();
    lines.add(head(rollout));
    int titles =
        rollout.waves().stream()
            .mapToInt(wave -> Math.min(wave.title().length(), MOST_OF_A_TITLE))
            .max()
            .orElse(0);
    rollout.waves().forEach(wave -> lines.add(line(wave, titles)));
    if (!rollout.waiting().isEmpty()) {
      lines.add(terminal.yellow(Text.cut("  waits: " + rollout.waiting(), terminal.width())));
    }
    return lines;
  }

  private String head(RolloutView rollout) {
    String text =
        Text.cut(
            "%s  %s  %s  %s"
                .formatted(
                    rollout.id(), rollout.release(), rollout.stands(), rollout.counts().inWords()),
            terminal.width());
    if (!rollout.hasEnded()) {
      return terminal.bold(text);
    }
    return terminal.bold(rollout.isThere() ? terminal.green(text) : terminal.yellow(text));
  }

  private String line(WaveView wave, int titles) {
    String text =
        "  %3d  %s  %s  %s  %s"
            .formatted(
                wave.number(),
                Text.pad(Text.cut(wave.title(), MOST_OF_A_TITLE), titles),
                bar(wave.counts()),
                Text.pad(wave.state(), "running".length()),
                wave.counts().inWords());
    String cut = Text.cut(text, terminal.width());
    if (wave.counts().failed() > 0) {
      return terminal.red(cut);
    }
    return wave.state().equals("pending") ? terminal.dim(cut) : cut;
  }

  /// Done, in work, to come. What has begun is seen, however little it is; what is not done never
  /// looks so.
  static String bar(Counts counts) {
    int done = part(counts.done(), counts.devices());
    int begun = Math.max(part(counts.done() + counts.begun(), counts.devices()), done);
    if (counts.begun() > 0 && begun == done) {
      begun = Math.min(done + 1, BAR);
      done = begun - 1;
    }
    return "[" + "█".repeat(done) + "▒".repeat(begun - done) + "·".repeat(BAR - begun) + "]";
  }

  private static int part(int devices, int all) {
    return all == 0 ? 0 : (int) ((long) devices * BAR / all);
  }
}
