package dev.uplift.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.protocol.json.JsonObject;
import dev.uplift.protocol.json.MalformedMessage;
import java.util.Map;
import java.util.regex.Pattern;

/// The form and bounds of every value. The constructors of the messages check them here, so no message that breaks a
/// bound is written or read.
public final class FieldLimits {
  static final int MAX_TEXT_CHARS = 1000;
  static final int MAX_VERSIONS = 16;

  private static final char REPLACEMENT = '\uFFFD';

  private static final Pattern ID = Pattern.compile("[\\w-]{1,64}");
  private static final Pattern TENANT = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");
  private static final Pattern HOST = Pattern.compile("[A-Za-z0-9][\\w-]{0,62}");
  private static final Pattern PACKAGE = Pattern.compile("[A-Za-z0-9][\\w.+-]{0,63}");
  private static final Pattern VERSION = Pattern.compile("[\\w.+~][\\w.+~-]{0,63}");
  private static final Pattern WORD = Pattern.compile("[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?");
  private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

  private FieldLimits() {}

  public static void requireId(String name, String value) {
    requireMatch(ID, name, value, "1 to 64 of A-Z a-z 0-9 _ -");
  }

  static void requireIdOrEmpty(String name, String value) {
    if (!value.isEmpty()) {
      requireId(name, value);
    }
  }

  public static void requireTenant(String name, String value) {
    requireMatch(TENANT, name, value, "1 to 63 of a-z 0-9 -, no - at either end");
  }

  public static void requireHost(String name, String value) {
    requireMatch(HOST, name, value, "1 to 63 of A-Z a-z 0-9 _ -, the first a letter or digit");
  }

  public static void requirePackageName(String name, String value) {
    requireMatch(PACKAGE, name, value, "1 to 64 of A-Z a-z 0-9 . + _ -, the first a letter or digit");
  }

  public static void requireVersion(String name, String value) {
    requireMatch(VERSION, name, value, "1 to 64 of A-Z a-z 0-9 . + ~ _ -, the first no -");
  }

  static void requireVersionOrEmpty(String name, String value) {
    if (!value.isEmpty()) {
      requireVersion(name, value);
    }
  }

  static void requireVersions(String name, Map<String, String> versions) {
    requireBetween(name + " (entries)", versions.size(), 0, MAX_VERSIONS);
    versions.forEach((packageName, version) -> {
      requirePackageName(name, packageName);
      requireVersion(name + "." + packageName, version);
    });
  }

  /// A short lower-case word of a program: error code, kind of a driver, step.
  static void requireWord(String name, String value) {
    requireMatch(WORD, name, value, "1 to 64 of a-z 0-9 -, no - at either end");
  }

  static boolean isWord(String value) {
    return WORD.matcher(value).matches();
  }

  static void requireSha256(String name, String value) {
    requireMatch(SHA256, name, value, "64 hex digits in lower case");
  }

  static void requireSha256OrEmpty(String name, String value) {
    if (!value.isEmpty()) {
      requireSha256(name, value);
    }
  }

  static void requireBetween(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new MalformedMessage(name + ": expected " + least + " to " + most + ", found " + value);
    }
  }

  public static void requireMaxChars(String name, String value, int most) {
    if (value.length() > most) {
      throw new MalformedMessage(name + ": expected at most " + most + " characters, found " + value.length());
    }
  }

  /// Returns the bytes of a message.
  ///
  /// @throws MalformedMessage if there are more than `most`
  public static byte[] requireMaxBytes(String message, byte[] bytes, int most) {
    if (bytes.length > most) {
      throw new MalformedMessage(message + ": expected at most " + most + " bytes, found " + bytes.length);
    }
    return bytes;
  }

  public static void require(boolean holds, String name, String expected) {
    if (!holds) {
      throw new MalformedMessage(name + ": expected " + expected);
    }
  }

  /// Cuts a sentence for people instead of rejecting it: its content is worth more than its end. Without characters
  /// that would steer the terminal of a reader.
  static String truncate(String unclean) {
    String text = withoutControls(unclean);
    return text.length() <= MAX_TEXT_CHARS ? text : text.substring(0, MAX_TEXT_CHARS - 1) + "…";
  }

  /// Replaces what a terminal or a browser obeys rather than shows: control characters but tab and line feed, and those
  /// that change the direction or the line of what follows.
  private static String withoutControls(String text) {
    StringBuilder clean = null;
    for (int i = 0; i < text.length(); i++) {
      if (isControl(text.charAt(i))) {
        clean = clean == null ? new StringBuilder(text) : clean;
        clean.setCharAt(i, REPLACEMENT);
      }
    }
    return clean == null ? text : clean.toString();
  }

  private static boolean isControl(char it) {
    boolean isC0 = it < ' ' && it != '\t' && it != '\n';
    boolean isC1 = it >= 0x7F && it <= 0x9F;
    boolean isDirection = it == 0x061C || it == 0x200E || it == 0x200F || (it >= 0x2066 && it <= 0x2069);
    return isC0 || isC1 || isDirection || (it >= 0x2028 && it <= 0x202E);
  }

  /// The end of a log is worth more than its beginning. Without characters that would steer the terminal of a reader.
  static String truncateToTail(String unclean, int mostBytes) {
    String log = withoutControls(unclean);
    byte[] bytes = log.getBytes(UTF_8);
    if (bytes.length <= mostBytes) {
      return log;
    }
    int from = bytes.length - mostBytes;
    while ((bytes[from] & 0xC0) == 0x80) {
      from++;
    }
    return new String(bytes, from, bytes.length - from, UTF_8);
  }

  private static void requireMatch(Pattern pattern, String name, String value, String expected) {
    if (!pattern.matcher(value).matches()) {
      throw new MalformedMessage(name + ": expected " + expected + ", found " + JsonObject.describe(value));
    }
  }
}
