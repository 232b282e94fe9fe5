package dev.uplift.cli.text;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/// Formats JSON objects as a table: a row for each, a column for each of some fields.
public final class JsonTable implements Function<JsonNode, String> {
  private final List<String> headings = new ArrayList<>();
  private final List<Function<JsonNode, String>> cells = new ArrayList<>();

  /// Adds a column with the text of a field, or of what a JSON pointer (`/hold/reason`) refers to.
  public JsonTable column(String heading, String field) {
    JsonPointer pointer = pointer(field);
    return column(heading, row -> row.at(pointer).asString(""));
  }

  /// Adds a column with a number; 0 if it is missing.
  public JsonTable number(String heading, String field) {
    JsonPointer pointer = pointer(field);
    return column(heading, row -> Integer.toString(row.at(pointer).asInt(0)));
  }

  private static JsonPointer pointer(String field) {
    return JsonPointer.compile(field.startsWith("/") ? field : "/" + field);
  }

  public JsonTable column(String heading, Function<JsonNode, String> cell) {
    headings.add(heading);
    cells.add(cell);
    return this;
  }

  /// Formats a list, or a single object as a list of one.
  @Override
  public String apply(JsonNode json) {
    Table table = new Table(headings.toArray(String[]::new));
    Stream<JsonNode> rows = json.isObject() ? Stream.of(json) : json.valueStream();
    rows.forEach(row -> table.addRow(cells.stream().map(cell -> cell.apply(row)).toArray(String[]::new)));
    return table.toString();
  }

  /// Joins the texts of a list by commas.
  public static String join(JsonNode list) {
    return list.valueStream().map(each -> each.asString("")).collect(Collectors.joining(","));
  }
}
