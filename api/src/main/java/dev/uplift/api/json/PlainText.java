package dev.uplift.api.json;

/// The characters of texts that people write and read. Refused are those that a terminal, a page or another program
/// would act upon instead of showing them, and halves of characters, which no encoding keeps.
public final class PlainText {
  private static final int BYTE_ORDER_MARK = 0xfeff;

  private PlainText() {}

  /// Refuses a text that does not fit one line of a terminal or a page as it is.
  ///
  /// @throws IllegalArgumentException that says which character is wrong
  public static void requireOneLine(String text) {
    require(text, "", "expected a text without control characters");
  }

  /// As above, except that lines may end, and may have tabs.
  static void requireLines(String text) {
    require(text, "\n\r\t", "expected a text without control characters but line ends and tabs");
  }

  /// Refuses a text that changes when it is encoded.
  ///
  /// @throws IllegalArgumentException if it has half a surrogate pair
  static void requireWholeCharacters(String text) {
    text.codePoints().filter(PlainText::isHalf).findFirst().ifPresent(PlainText::refuseHalf);
  }

  /// Returns whether nothing of a text can be seen. Unlike [String#isBlank], it knows spaces that do not break.
  static boolean isBlank(String text) {
    return text.codePoints()
        .allMatch(c -> Character.isWhitespace(c) || Character.isSpaceChar(c) || c == BYTE_ORDER_MARK);
  }

  private static void require(String text, String allowedControls, String noControls) {
    requireWholeCharacters(text);
    text.codePoints()
        .filter(c -> allowedControls.indexOf(c) < 0)
        .forEach(c -> {
          if (isControl(c)) {
            throw new IllegalArgumentException(noControls);
          }
          if (changesDirection(c) || isNoncharacter(c)) {
            throw new IllegalArgumentException(
                "expected a text without the character U+%04X, which %s"
                    .formatted(
                        c, changesDirection(c) ? "changes the direction of what follows" : "stands for nothing"));
          }
        });
  }

  private static void refuseHalf(int c) {
    throw new IllegalArgumentException(
        "expected a text of whole characters, found one half of a pair, U+%04X".formatted(c));
  }

  private static boolean isHalf(int c) {
    return Character.getType(c) == Character.SURROGATE;
  }

  private static boolean isControl(int c) {
    return Character.isISOControl(c)
        || Character.getType(c) == Character.LINE_SEPARATOR
        || Character.getType(c) == Character.PARAGRAPH_SEPARATOR;
  }

  private static boolean changesDirection(int c) {
    return switch (Character.getDirectionality(c)) {
      case Character.DIRECTIONALITY_LEFT_TO_RIGHT_EMBEDDING,
          Character.DIRECTIONALITY_RIGHT_TO_LEFT_EMBEDDING,
          Character.DIRECTIONALITY_LEFT_TO_RIGHT_OVERRIDE,
          Character.DIRECTIONALITY_RIGHT_TO_LEFT_OVERRIDE,
          Character.DIRECTIONALITY_POP_DIRECTIONAL_FORMAT,
          Character.DIRECTIONALITY_LEFT_TO_RIGHT_ISOLATE,
          Character.DIRECTIONALITY_RIGHT_TO_LEFT_ISOLATE,
          Character.DIRECTIONALITY_FIRST_STRONG_ISOLATE,
          Character.DIRECTIONALITY_POP_DIRECTIONAL_ISOLATE ->
          true;
      default -> false;
    };
  }

  private static boolean isNoncharacter(int c) {
    return (c & 0xfffe) == 0xfffe || (c >= 0xfdd0 && c <= 0xfdef);
  }
}
