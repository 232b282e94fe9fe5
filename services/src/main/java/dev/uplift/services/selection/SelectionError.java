package dev.uplift.services.selection;

/// An error in the text of a selection.
///
/// @param line of the text, from 1
/// @param column in the line, from 1
/// @param text what is wrong, for people
public record SelectionError(int line, int column, String text) {
  /// Returns the message with its position.
  @Override
  public String toString() {
    return "line %d, column %d: %s".formatted(line, column, text);
  }
}
