package dev.uplift.cli.text;

import dev.uplift.protocol.PrintableText;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Rows below headings, each column as wide as its widest cell. The last column is not padded, so that no line ends in
/// blanks.
public final class Table {
  private static final String COLUMN_GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();

  public Table(String... headings) {
    rows.add(List.of(headings));
  }

  /// Adds a row. An empty cell is shown as `-`.
  public Table addRow(String... cells) {
    rows.add(IntStream.range(0, cells.length).mapToObj(i -> cellText(cells[i])).toList());
    return this;
  }

  private static String cellText(String cell) {
    return cell.isEmpty() ? "-" : TextFormat.time(PrintableText.line(cell.replaceAll("\\s+", " ")));
  }

  public List<String> lines() {
    int[] widths = new int[rows.getFirst().size()];
    for (List<String> row : rows) {
      for (int i = 0; i < row.size(); i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    return rows.stream().map(row -> line(row, widths)).toList();
  }

  private static String line(List<String> row, int[] widths) {
    return IntStream.range(0, row.size())
        .mapToObj(i -> i == row.size() - 1 ? row.get(i) : TextFormat.pad(row.get(i), widths[i]))
        .collect(Collectors.joining(COLUMN_GAP));
  }

  @Override
  public String toString() {
    return String.join("\n", lines());
  }
}
