package dev.uplift.cli.enrolment;

import dev.uplift.cli.file.UserFile;
import dev.uplift.cli.rest.CliException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Reads a table of hosts from people or spreadsheets: lines `device,host[,label=value...]`. Skips empty lines,
/// comments that begin with `#`, and a header `device,host`. Rejects errors with line and column, before any request.
public final class EnrolmentCsv {
  private static final String EXPECTED_FORMAT = "expected device,host[,label=value...]";
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private final String name;
  private final List<EnrolmentTarget> targets = new ArrayList<>();
  private final Map<String, Integer> linesByHost = new HashMap<>();

  private EnrolmentCsv(String name) {
    this.name = name;
  }

  public static List<EnrolmentTarget> read(Path file) {
    try {
      return parse(file.toString(), Files.readAllLines(file));
    } catch (CharacterCodingException e) {
      throw new CliException(CliException.USAGE, file + ": expected UTF-8", e);
    } catch (IOException e) {
      throw UserFile.cannotRead(file, e);
    }
  }

  /// @param name of the file, for messages
  static List<EnrolmentTarget> parse(String name, List<String> lines) {
    var file = new EnrolmentCsv(name);
    for (int i = 0; i < lines.size(); i++) {
      String line = i == 0 && lines.get(i).startsWith(BYTE_ORDER_MARK) ? lines.get(i).substring(1) : lines.get(i);
      if (!line.isBlank() && !line.startsWith("#") && !isHeader(line)) {
        file.add(line, i + 1);
      }
    }
    if (file.targets.isEmpty()) {
      throw CliException.usageError(name + " names no host: " + EXPECTED_FORMAT);
    }
    return file.targets;
  }

  private static boolean isHeader(String line) {
    return line.replace(" ", "").replace("\"", "").startsWith("device,host");
  }

  /// A cell and its first column.
  private record Cell(String text, int column) {}

  private void add(String line, int number) {
    List<Cell> cells = splitCells(line, number);
    if (cells.size() < 2) {
      String hint = line.contains(";") ? ", separated by commas" : "";
      throw syntaxError(number, 1, EXPECTED_FORMAT + hint);
    }
    Map<String, String> labels = new TreeMap<>();
    for (Cell cell : cells.subList(2, cells.size())) {
      // Spreadsheets pad short lines with empty cells.
      if (!cell.text().isEmpty()) {
        addLabel(cell, number, labels);
      }
    }
    String device = requireText(cells.get(0), number, "a device");
    String host = requireText(cells.get(1), number, "a host");
    Integer before = linesByHost.putIfAbsent(host, number);
    if (before != null) {
      throw syntaxError(number, cells.get(1).column(), host + " is already in line " + before);
    }
    targets.add(new EnrolmentTarget(name + ", line " + number, device, host, labels));
  }

  private String requireText(Cell cell, int number, String expected) {
    if (cell.text().isEmpty()) {
      throw syntaxError(number, cell.column(), "expected " + expected + ", found nothing");
    }
    return cell.text();
  }

  private void addLabel(Cell cell, int number, Map<String, String> labels) {
    int equals = cell.text().indexOf('=');
    if (equals < 1) {
      throw syntaxError(number, cell.column(), "expected label=value, found `" + cell.text() + "`");
    }
    labels.put(cell.text().substring(0, equals).strip(), cell.text().substring(equals + 1).strip());
  }

  /// Splits a line. Quoted cells may contain commas, and quotes as two quotes.
  private List<Cell> splitCells(String line, int number) {
    List<Cell> cells = new ArrayList<>();
    var text = new StringBuilder();
    boolean quoted = false;
    int from = 0;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '"' && quoted && i + 1 < line.length() && line.charAt(i + 1) == '"') {
        text.append(c);
        i++;
      } else if (c == '"') {
        quoted = !quoted;
      } else if (c == ',' && !quoted) {
        cells.add(new Cell(text.toString().strip(), from + 1));
        text.setLength(0);
        from = i + 1;
      } else {
        text.append(c);
      }
    }
    if (quoted) {
      throw syntaxError(number, from + 1, "a quote is not closed");
    }
    cells.add(new Cell(text.toString().strip(), from + 1));
    return cells;
  }

  private CliException syntaxError(int line, int column, String text) {
    return CliException.usageError("%s, line %d, column %d: %s".formatted(name, line, column, text));
  }
}
