package dev.uplift.fleet.policy;

import dev.uplift.fleet.window.WindowFields;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// When a policy begins with devices that are due.
public sealed interface PolicyRepeat {
  /// Whenever a device is due.
  record Always() implements PolicyRepeat {}

  /// As soon as the maintenance window of a device is open, and not before: until then it is in no rollout.
  record EachWindow() implements PolicyRepeat {}

  /// In runs, at the times of a cron line. What becomes due between two runs waits for the next one.
  ///
  /// @param line five fields of numbers: minute, hour, day of the month, month, day of the week from 0, which is Sunday
  /// @param zone an IANA time zone; no bare offset, which has no daylight saving time and means nothing to Temporal
  record Cron(String line, ZoneId zone) implements PolicyRepeat {
    private static final Pattern ITEM = Pattern.compile("(\\*|(\\d{1,2})(-(\\d{1,2}))?)(/(\\d{1,2}))?");
    private static final List<CronField> FIELDS =
        List.of(
            new CronField("minute", 0, 59),
            new CronField("hour", 0, 23),
            new CronField("day of the month", 1, 31),
            new CronField("month", 1, 12),
            new CronField("day of the week", 0, 6));

    public Cron {
      Optional<String> fault = findFault(line);
      if (fault.isPresent()) {
        throw new IllegalArgumentException(fault.get());
      }
      if (!WindowFields.isZone(zone.getId())) {
        throw new IllegalArgumentException("expected an IANA time zone, found \"%s\"".formatted(zone));
      }
    }

    @Override
    public String toString() {
      return "%s %s".formatted(line, zone);
    }

    /// Returns what is wrong with a line, for people; empty if nothing is.
    public static Optional<String> findFault(String line) {
      String[] fields = line.split(" ", -1);
      if (fields.length != FIELDS.size()) {
        return Optional.of("expected five fields, one space apart, such as 0 22 * * 6, found \"%s\"".formatted(line));
      }
      for (int i = 0; i < fields.length; i++) {
        CronField field = FIELDS.get(i);
        if (!field.accepts(fields[i])) {
          return Optional.of(
              "expected %s as *, a number from %d to %d, a range, a step, or several of them with commas, found \"%s\""
                  .formatted(field.name(), field.first(), field.last(), fields[i]));
        }
      }
      return Optional.empty();
    }

    private record CronField(String name, int first, int last) {
      boolean accepts(String text) {
        for (String item : text.split(",", -1)) {
          if (!acceptsItem(item)) {
            return false;
          }
        }
        return true;
      }

      private boolean acceptsItem(String item) {
        Matcher matcher = ITEM.matcher(item);
        if (!matcher.matches()) {
          return false;
        }
        Optional<Integer> from = number(matcher, 2);
        Optional<Integer> to = number(matcher, 4).or(() -> from);
        boolean isStepped = number(matcher, 6).filter(step -> step < 1 || step > last).isPresent();
        return !isStepped && (from.isEmpty() || (from.get() >= first && to.get() <= last && from.get() <= to.get()));
      }

      private static Optional<Integer> number(Matcher matcher, int group) {
        return Optional.ofNullable(matcher.group(group)).map(Integer::valueOf);
      }
    }
  }
}
