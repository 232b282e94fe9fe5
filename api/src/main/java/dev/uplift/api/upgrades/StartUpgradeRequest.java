package dev.uplift.api.upgrades;

import dev.uplift.api.json.JsonBody;
import dev.uplift.api.json.JsonField;
import dev.uplift.api.json.ValueReader;
import dev.uplift.api.json.ValueReaders;
import dev.uplift.fleet.NameRule;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.RollbackScope;
import dev.uplift.workflows.device.UpgradePlan;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/// What somebody wants of an upgrade.
///
/// @param rollbackScope how much is rolled back when a host fails
/// @param notAfter nothing is begun past this
/// @param hostSoak for how long the release has to prove itself on each host
/// @param requireApproval whether another person has to approve before a host is touched
record StartUpgradeRequest(
    Release release,
    RollbackScope rollbackScope,
    Instant notAfter,
    boolean allowDowngrade,
    Duration hostSoak,
    WindowRequest window,
    boolean requireApproval) {
  static final Duration DEFAULT_DEADLINE = Duration.ofHours(24);
  private static final Duration MAX_HOST_SOAK = Duration.ofDays(7);

  static StartUpgradeRequest read(JsonBody in, Instant now) {
    JsonField<String> packageName = in.required("package", name(NameRule.PACKAGE));
    JsonField<String> version = in.required("version", name(NameRule.VERSION));
    JsonField<RollbackScope> reach = in.optional("rollback_scope", ValueReaders.enumWord(RollbackScope.values()));
    JsonField<Instant> notAfter = in.optional("not_after", ValueReaders.INSTANT);
    JsonField<Boolean> allowDowngrade = in.optional("allow_downgrade", ValueReaders.BOOLEAN);
    JsonField<Duration> soak = in.optional("host_soak_seconds", ValueReaders.seconds(MAX_HOST_SOAK));
    WindowRequest window = WindowRequest.read(in, reach);
    JsonField<Boolean> approval = in.optional("require_approval", ValueReaders.BOOLEAN);
    addDeadlineError(in, notAfter, now);
    in.throwIfInvalid();
    return new StartUpgradeRequest(
        new Release(packageName.get(), version.get()),
        reach.orElse(RollbackScope.DEVICE),
        // Nobody wants to read nanoseconds of a day.
        notAfter.orElse(
            now.plus(window.waitForWindow() ? UpgradePlan.MAX_DURATION : DEFAULT_DEADLINE).truncatedTo(ChronoUnit.SECONDS)),
        allowDowngrade.orElse(false),
        soak.orElse(Duration.ZERO),
        window,
        approval.orElse(false));
  }

  private static ValueReader<String> name(NameRule rule) {
    return ValueReaders.TEXT.then(text -> {
      if (!rule.isValid(text)) {
        throw new IllegalArgumentException(
            "expected a name like %s, found \"%s\"".formatted(rule.pattern(), text));
      }
      return text;
    });
  }

  static void addDeadlineError(JsonBody in, JsonField<Instant> notAfter, Instant now) {
    notAfter.asOptional().flatMap(end -> deadlineError(end, now)).ifPresent(why -> in.addError("/not_after", why));
  }

  /// What is wrong with a deadline.
  static Optional<String> deadlineError(Instant notAfter, Instant now) {
    return notAfter.isAfter(now) && !notAfter.isAfter(now.plus(UpgradePlan.MAX_DURATION))
        ? Optional.empty()
        : Optional.of(
            "expected a time to come, at most %d days from now"
                .formatted(UpgradePlan.MAX_DURATION.toDays()));
  }
}
