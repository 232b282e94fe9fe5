package dev.uplift.api.upgrades;

import dev.uplift.api.json.Body;
import dev.uplift.api.json.Field;
import dev.uplift.api.json.Shape;
import dev.uplift.api.json.Shapes;
import dev.uplift.fleet.Names;
import dev.uplift.fleet.Reach;
import dev.uplift.fleet.Release;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/// What somebody wants of an upgrade.
///
/// @param reach how much is rolled back when a host fails
/// @param notAfter nothing is begun past this
/// @param soak for how long the release has to prove itself on each host
record UpgradeWish(
    Release release, Reach reach, Instant notAfter, boolean allowDowngrade, Duration soak) {
  static final Duration USUAL = Duration.ofHours(24);
  private static final Duration LONGEST = Duration.ofDays(14);
  private static final Duration LONGEST_SOAK = Duration.ofDays(7);

  static UpgradeWish read(Body in, Instant now) {
    Field<String> packageName = in.required("package", name(Names.PACKAGE));
    Field<String> version = in.required("version", name(Names.VERSION));
    Field<Reach> reach = in.optional("reach", Shapes.word(Reach.values()));
    Field<Instant> notAfter = in.optional("not_after", Shapes.INSTANT);
    Field<Boolean> allowDowngrade = in.optional("allow_downgrade", Shapes.FLAG);
    Field<Duration> soak = in.optional("soak_s", Shapes.seconds(LONGEST_SOAK));
    checkDeadline(in, notAfter, now);
    in.done();
    return new UpgradeWish(
        new Release(packageName.get(), version.get()),
        reach.or(Reach.DEVICE),
        // Nobody wants to read nanoseconds of a day.
        notAfter.or(now.plus(USUAL).truncatedTo(ChronoUnit.SECONDS)),
        allowDowngrade.or(false),
        soak.or(Duration.ZERO));
  }

  private static Shape<String> name(Names rule) {
    return Shapes.TEXT.then(text -> {
      if (!rule.allow(text)) {
        throw new IllegalArgumentException(
            "expected a name like %s, found \"%s\"".formatted(rule.rule(), text));
      }
      return text;
    });
  }

  static void checkDeadline(Body in, Field<Instant> notAfter, Instant now) {
    notAfter
        .find()
        .filter(end -> !end.isAfter(now) || end.isAfter(now.plus(LONGEST)))
        .ifPresent(end ->
            in.wrong(
                "/not_after",
                "expected a time to come, at most %d days from now".formatted(LONGEST.toDays())));
  }
}
