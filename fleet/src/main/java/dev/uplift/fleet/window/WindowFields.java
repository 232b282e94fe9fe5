package dev.uplift.fleet.window;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Parses and formats the fields of a [Window] as people write them: each alone, so that an error can name its place,
/// and what is formatted is parsed to the same value.
///
/// Invalid text is rejected with an [IllegalArgumentException] that says what was found and what would be right.
public final class WindowFields {
  /// The zone of a window that follows each site's own zone.
  public static final String SITE_LOCAL = "site-local";

  private static final Pattern TIME = Pattern.compile("([01][0-9]|2[0-3]):[0-5][0-9]");
  private static final Pattern DURATION =
      Pattern.compile("(?=.)(?:([0-9]{1,5})d)?(?:([0-9]{1,5})h)?(?:([0-9]{1,5})m)?");
  private static final Pattern DATE = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");
  private static final Set<String> ZONES =
      ZoneId.getAvailableZoneIds().stream()
          .filter(id -> !id.startsWith("SystemV/"))
          .collect(Collectors.toUnmodifiableSet());

  private WindowFields() {}

  /// An English name, whole or its first three letters: `monday`, `mon`.
  public static DayOfWeek dayOfWeek(String text) {
    String name = text.toLowerCase(Locale.ROOT);
    for (DayOfWeek day : DayOfWeek.values()) {
      if (name.equals(format(day)) || name.equals(format(day).substring(0, 3))) {
        return day;
      }
    }
    throw expected("a day of the week such as monday or mon", text);
  }

  public static String format(DayOfWeek day) {
    return day.name().toLowerCase(Locale.ROOT);
  }

  /// `HH:MM`, from `00:00` to `23:59`.
  public static LocalTime startTime(String text) {
    if (TIME.matcher(text).matches()) {
      return LocalTime.parse(text);
    }
    throw expected("a time of day from 00:00 to 23:59 such as 02:30", text);
  }

  public static String format(LocalTime startTime) {
    return startTime.toString();
  }

  /// `site-local`, which is empty, or an IANA zone. No bare offset: it has no daylight saving time.
  public static Optional<ZoneId> timezone(String text) {
    if (text.equals(SITE_LOCAL)) {
      return Optional.empty();
    }
    if (isZone(text)) {
      return Optional.of(ZoneId.of(text));
    }
    throw expected("site-local or an IANA time zone such as Europe/Berlin" + suggestion(text), text);
  }

  /// Returns whether this is an IANA zone. The aliases that only Java knows are not.
  public static boolean isZone(String text) {
    return ZONES.contains(text);
  }

  private static String suggestion(String text) {
    String wanted = text.replace(' ', '_').toLowerCase(Locale.ROOT);
    return ZONES.stream()
        .filter(id -> isSimilar(id.toLowerCase(Locale.ROOT), wanted))
        // The shortest of several, which is no alias within a country.
        .min((a, b) -> a.length() != b.length() ? a.length() - b.length() : a.compareTo(b))
        .map(id -> " (perhaps " + id + "?)")
        .orElse("");
  }

  /// Never suggests `Etc/GMT+2` and similar, whose signs are the opposite of what people expect.
  private static boolean isSimilar(String id, String wanted) {
    return !id.startsWith("etc/") && (id.equals(wanted) || id.endsWith("/" + wanted));
  }

  public static String format(Optional<ZoneId> timezone) {
    return timezone.map(ZoneId::getId).orElse(SITE_LOCAL);
  }

  /// `4h`, `1h30m`, `2d12h`, or ISO 8601, `PT4H`. A day is 24 hours.
  public static Duration duration(String text) {
    Duration duration = parsed(text);
    Window.checkDuration(duration);
    return duration;
  }

  private static Duration parsed(String text) {
    Matcher parts = DURATION.matcher(text);
    if (parts.matches()) {
      return Duration.ofDays(number(parts.group(1)))
          .plusHours(number(parts.group(2)))
          .plusMinutes(number(parts.group(3)));
    }
    if (text.startsWith("P")) {
      try {
        return Duration.parse(text);
      } catch (DateTimeException _) {
        // Rejected below.
      }
    }
    throw expected("a duration such as 4h, 90m, 1h30m or 2d", text);
  }

  private static long number(@Nullable String digits) {
    return digits == null ? 0 : Long.parseLong(digits);
  }

  public static String format(Duration duration) {
    var text = new StringBuilder();
    append(text, duration.toDaysPart(), 'd');
    append(text, duration.toHoursPart(), 'h');
    append(text, duration.toMinutesPart(), 'm');
    return text.toString();
  }

  private static void append(StringBuilder text, long number, char unit) {
    if (number != 0) {
      text.append(number).append(unit);
    }
  }

  /// A date, `2026-12-24`, or a range including both ends, `2026-12-24/2027-01-06`.
  public static Blackout blackout(String text) {
    int slash = text.indexOf('/');
    if (slash < 0) {
      LocalDate date = date(text, text);
      return new Blackout(date, date);
    }
    return new Blackout(date(text.substring(0, slash), text), date(text.substring(slash + 1), text));
  }

  private static LocalDate date(String date, String text) {
    if (DATE.matcher(date).matches()) {
      try {
        return LocalDate.parse(date);
      } catch (DateTimeException _) {
        // Rejected below.
      }
    }
    throw expected("a date such as 2026-12-24 or a range of them such as 2026-12-24/2027-01-06", text);
  }

  public static String format(Blackout blackout) {
    return blackout.first().equals(blackout.last())
        ? blackout.first().toString()
        : blackout.first() + "/" + blackout.last();
  }

  private static IllegalArgumentException expected(String what, String found) {
    String brief = found.length() > 60 ? found.substring(0, 60) + "…" : found;
    return new IllegalArgumentException("expected %s, found \"%s\"".formatted(what, brief));
  }
}
