package dev.uplift.api.rollouts;

import dev.uplift.api.json.JsonBody;
import dev.uplift.api.json.JsonField;
import dev.uplift.api.json.ValueReader;
import dev.uplift.api.json.ValueReaders;
import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.windows.WindowReaders;
import dev.uplift.fleet.NameRule;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.RollbackScope;
import dev.uplift.fleet.rollout.plan.OnBusy;
import dev.uplift.fleet.rollout.plan.PlanViolation;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.fleet.rollout.plan.WaveSpec;
import dev.uplift.fleet.rollout.plan.WindowRule;
import dev.uplift.fleet.window.Window;
import dev.uplift.services.rollout.RolloutRules;
import dev.uplift.services.rollout.RolloutSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Reads what somebody wants a rollout to be. What is not said is [RolloutPlan#defaults].
final class RolloutSpecReader {
  private static final int TITLE_CHARS = 200;
  private static final int REASON_CHARS = 500;
  private static final Duration MAX_HOST_SOAK = Duration.ofDays(7);

  /// Of which nobody hears: where it stands, the request is refused.
  private static final Release PLACEHOLDER_RELEASE = new Release("none", "0");

  private final JsonBody in;

  private RolloutSpecReader(JsonBody in) {
    this.in = in;
  }

  /// @throws ProblemException with everything that is wrong, as far as that can be said without
  ///   looking at devices
  static CreateRolloutRequest read(JsonBody in, Instant now) {
    var reader = new RolloutSpecReader(in);
    JsonField<Boolean> draft = in.optional("draft", ValueReaders.BOOLEAN);
    RolloutSpec spec = reader.spec(reader.release());
    for (PlanViolation planViolation : spec.plan().violations(now)) {
      in.addErrorIfNew(planViolation.pointer(), planViolation.message());
    }
    in.throwIfInvalid();
    return new CreateRolloutRequest(spec, draft.orElse(false));
  }

  private Release release() {
    JsonField<String> packageName = in.required("package", name(NameRule.PACKAGE));
    JsonField<String> version = in.required("version", name(NameRule.VERSION));
    return packageName.asOptional().isEmpty() || version.asOptional().isEmpty()
        ? PLACEHOLDER_RELEASE
        : new Release(packageName.get(), version.get());
  }

  private RolloutSpec spec(Release release) {
    JsonField<String> title = in.optional("title", ValueReaders.nonBlankText(TITLE_CHARS));
    RolloutPlan plan = plan(release);
    JsonField<RollbackScope> reach =
        in.optional("rollback_scope", ValueReaders.enumWord(RollbackScope.values()));
    JsonField<Duration> soak =
        in.optional("host_soak_seconds", ValueReaders.seconds(MAX_HOST_SOAK));
    JsonField<Boolean> allowDowngrade = in.optional("allow_downgrade", ValueReaders.BOOLEAN);
    if (plan.window().onClose() == WindowRule.OnClose.ROLL_BACK
        && reach.orElse(RollbackScope.DEVICE) == RollbackScope.NONE) {
      in.addError(
          "/window/on_close", "roll-back has nothing to roll back with the rollback_scope none");
    }
    return new RolloutSpec(
        title.orElse(release.toString()),
        plan,
        reach.orElse(RollbackScope.DEVICE),
        soak.orElse(Duration.ZERO),
        allowDowngrade.orElse(false));
  }

  private RolloutPlan plan(Release release) {
    JsonField<String> selection = in.required("selection", ValueReaders.MULTILINE_TEXT);
    JsonField<Boolean> everything = in.optional("everything", ValueReaders.BOOLEAN);
    List<WaveSpec> waves =
        in.objectList("waves", RolloutPlan.MAX_WAVES).stream().map(WaveSpecReader::read).toList();
    RolloutPlan usual = RolloutPlan.defaults(release, selection.orElse(""));
    RolloutRules rules = RolloutRulesReader.read(in);
    WindowRule window = window(in.objectField("window"));
    JsonField<List<Window>> windows = in.nullable("windows", WindowReaders.ANY);
    JsonField<Boolean> lateJoiners = in.optional("late_joiners", ValueReaders.BOOLEAN);
    JsonField<Instant> startAt = in.nullable("start_at", ValueReaders.INSTANT);
    JsonField<Instant> notAfter = in.nullable("not_after", ValueReaders.INSTANT);
    JsonField<Integer> priority = in.optional("priority", ValueReaders.INTEGER);
    JsonField<OnBusy> onBusy = in.optional("on_busy", ValueReaders.enumWord(OnBusy.values()));
    return new RolloutPlan(
        release,
        usual.selection(),
        everything.orElse(usual.everything()),
        waves,
        rules.limits(),
        rules.thresholds(),
        rules.retries(),
        window,
        lateJoiners.orElse(usual.lateJoiners()),
        startAt.asOptional(),
        notAfter.asOptional(),
        priority.orElse(usual.priority()),
        onBusy.orElse(usual.onBusy()),
        windows.orElse(List.of()));
  }

  private static WindowRule window(JsonBody in) {
    WindowRule usual = WindowRule.DEFAULTS;
    JsonField<WindowRule.Mode> rule =
        in.optional("mode", ValueReaders.enumWord(WindowRule.Mode.values()));
    JsonField<String> reason = in.optional("reason", ValueReaders.text(REASON_CHARS));
    JsonField<WindowRule.OnClose> onClose =
        in.optional("on_close", ValueReaders.enumWord(WindowRule.OnClose.values()));
    JsonField<Duration> ahead = in.optional("prepare_ahead_seconds", ValueReaders.INTEGER_SECONDS);
    JsonField<Duration> takes = in.optional("required_time_seconds", ValueReaders.INTEGER_SECONDS);
    return new WindowRule(
        rule.orElse(usual.mode()),
        reason.orElse(usual.reason()),
        onClose.orElse(usual.onClose()),
        ahead.orElse(usual.prepareAhead()),
        takes.orElse(usual.requiredTime()));
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
}
