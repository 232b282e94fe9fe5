package dev.uplift.protocol.json;

import java.time.DateTimeException;
import java.time.Instant;

/// Times as messages have them: `2026-01-31T09:05:00Z`, with as many fractional digits as there are. The same texts as
/// those of [Instant], whose formatter costs an agent half a MiB.
public final class Rfc3339 {
  private static final String FORM = "0000-00-00T00:00:00";
  private static final int SECONDS_PER_DAY = 86_400;
  private static final int MAX_FRACTION_DIGITS = 9;

  private Rfc3339() {}

  public static String format(Instant time) {
    long day = Math.floorDiv(time.getEpochSecond(), SECONDS_PER_DAY);
    int second = Math.floorMod(time.getEpochSecond(), SECONDS_PER_DAY);
    // Counted in years that begin in March, so that the leap day is a year's last.
    long shifted = day + 719_468;
    long era = Math.floorDiv(shifted, 146_097);
    int ofEra = Math.floorMod(shifted, 146_097);
    int yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365;
    int ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
    int march = (5 * ofYear + 2) / 153;
    int month = march < 10 ? march + 3 : march - 9;
    long year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0);
    if (year < 0 || year > 9999) {
      return time.toString();
    }
    var out = new StringBuilder(30);
    padded(out, year, 4).append('-');
    padded(out, month, 2).append('-');
    padded(out, ofYear - (153 * march + 2) / 5 + 1L, 2).append('T');
    padded(out, second / 3600, 2).append(':');
    padded(out, second / 60 % 60, 2).append(':');
    padded(out, second % 60, 2);
    fraction(out, time.getNano());
    return out.append('Z').toString();
  }

  private static StringBuilder padded(StringBuilder out, long number, int digits) {
    String text = Long.toString(number);
    return out.repeat('0', digits - text.length()).append(text);
  }

  /// In groups of three.
  private static void fraction(StringBuilder out, int nanos) {
    if (nanos == 0) {
      return;
    }
    out.append('.');
    if (nanos % 1_000_000 == 0) {
      padded(out, nanos / 1_000_000, 3);
    } else if (nanos % 1000 == 0) {
      padded(out, nanos / 1000, 6);
    } else {
      padded(out, nanos, MAX_FRACTION_DIGITS);
    }
  }

  /// Parses a time. Other forms than ours are left to [Instant].
  ///
  /// @throws DateTimeException if it is no time
  public static Instant parse(String text) {
    if (hasForm(text)) {
      int year = number(text, 0, 4);
      int month = number(text, 5, 7);
      int day = number(text, 8, 10);
      int hour = number(text, 11, 13);
      int minute = number(text, 14, 16);
      int second = number(text, 17, 19);
      if (isDate(year, month, day) && hour < 24 && minute < 60 && second < 60) {
        int secondOfDay = hour * 3600 + minute * 60 + second;
        return Instant.ofEpochSecond(days(year, month, day) * SECONDS_PER_DAY + secondOfDay, nanos(text));
      }
    }
    return Instant.parse(text);
  }

  private static boolean isDate(int year, int month, int day) {
    return month >= 1 && month <= 12 && day >= 1 && days(year, month, day) < firstOfNextMonth(year, month);
  }

  private static long firstOfNextMonth(int year, int month) {
    return month == 12 ? days(year + 1, 1, 1) : days(year, month + 1, 1);
  }

  private static boolean hasForm(String text) {
    int end = text.length() - 1;
    if (end < FORM.length() || end > FORM.length() + 1 + MAX_FRACTION_DIGITS || text.charAt(end) != 'Z') {
      return false;
    }
    for (int i = 0; i < end; i++) {
      char form = i < FORM.length() ? FORM.charAt(i) : i == FORM.length() ? '.' : '0';
      if (form == '0' ? !isDigit(text.charAt(i)) : text.charAt(i) != form) {
        return false;
      }
    }
    return isDigit(text.charAt(end - 1));
  }

  private static boolean isDigit(char it) {
    return it >= '0' && it <= '9';
  }

  /// Returns the number of days since 1970.
  private static long days(int calendarYear, int month, int day) {
    int march = month > 2 ? month - 3 : month + 9;
    int year = calendarYear - (month > 2 ? 0 : 1);
    int yearOfEra = Math.floorMod(year, 400);
    int ofYear = (153 * march + 2) / 5 + day - 1;
    return Math.floorDiv(year, 400) * 146_097L + (yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + ofYear) - 719_468;
  }

  private static int number(String text, int from, int to) {
    return Integer.parseInt(text, from, to, 10);
  }

  private static int nanos(String text) {
    int nanos = 0;
    for (int i = 0; i < MAX_FRACTION_DIGITS; i++) {
      int at = FORM.length() + 1 + i;
      nanos = nanos * 10 + (at < text.length() - 1 ? text.charAt(at) - '0' : 0);
    }
    return nanos;
  }
}
