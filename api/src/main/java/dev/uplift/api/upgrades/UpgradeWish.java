package dev.uplift.api.upgrades;

import dev.uplift.api.json.Body;
import dev.uplift.api.json.Field;
import dev.uplift.api.json.Shape;
import dev.uplift.api.json.Shapes;
import dev.uplift.fleet.Names;
import dev.uplift.fleet.Reach;
import dev.uplift.fleet.Release;
import dev.uplift.workflows.device.UpgradePlan;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/// What somebody wants of an upgrade.
///
/// @param reach how much is rolled back when a host fails
/// @param notAfter nothing is begun past this
/// @param soak for how long the release has to prove itself on each host
/// @param approval whether another person has to approve before a host is touched
record UpgradeWish(
    Release release,
    Reach reach,
    Instant notAfter,
    boolean allowDowngrade,
    Duration soak,
    WindowWish window,
    boolean approval) {
  static final Duration USUAL = Duration.ofHours(24);
  private static final Duration LONGEST_SOAK = Duration.ofDays(7);

  static UpgradeWish read(Body in, Instant now) {
    Field<String> packageName = in.required("package", name(Names.PACKAGE));
    Field<String> version = in.required("version", name(Names.VERSION));
    Field<Reach> reach = in.optional("reach", Shapes.word(Reach.values()));
    Field<Instant> notAfter = in.optional("not_after", Shapes.INSTANT);
    Field<Boolean> allowDowngrade = in.optional("allow_downgrade", Shapes.FLAG);
    Field<Duration> soak = in.optional("soak_s", Shapes.seconds(LONGEST_SOAK));
    WindowWish window = WindowWish.read(in, reach);
    Field<Boolean> approval = in.optional("approval", Shapes.FLAG);
    checkDeadline(in, notAfter, now);
    in.done();
    return new UpgradeWish(
        new Release(packageName.get(), version.get()),
        reach.or(Reach.DEVICE),
        // Nobody wants to read nanoseconds of a day.
        notAfter.or(
            now.plus(window.waits() ? UpgradePlan.LONGEST : USUAL).truncatedTo(ChronoUnit.SECONDS)),
        allowDowngrade.or(false),
        soak.or(Duration.ZERO),
        window,
        approval.or(false));
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
    notAfter.find().flatMap(end -> faultOf(end, now)).ifPresent(why -> in.wrong("/not_after", why));
  }

  /// What is wrong with a deadline.
  static Optional<String> faultOf(Instant notAfter, Instant now) {
    return notAfter.isAfter(now) && !notAfter.isAfter(now.plus(UpgradePlan.LONGEST))
        ? Optional.empty()
        : Optional.of(
            "expected a time to come, at most %d days from now"
                .formatted(UpgradePlan.LONGEST.toDays()));
  }
}
