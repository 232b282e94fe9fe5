package dev.uplift.api.rollouts;

import dev.uplift.activities.rollout.RolloutRules;
import dev.uplift.activities.rollout.RolloutWish;
import dev.uplift.api.json.Body;
import dev.uplift.api.json.Field;
import dev.uplift.api.json.Shape;
import dev.uplift.api.json.Shapes;
import dev.uplift.api.problem.Refusal;
import dev.uplift.api.windows.WindowShapes;
import dev.uplift.fleet.Names;
import dev.uplift.fleet.Reach;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.rollout.Fault;
import dev.uplift.fleet.rollout.OnBusy;
import dev.uplift.fleet.rollout.RolloutPlan;
import dev.uplift.fleet.rollout.WaveSpec;
import dev.uplift.fleet.rollout.WindowRule;
import dev.uplift.fleet.window.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Reads what somebody wants a rollout to be. What is not said is [RolloutPlan#usual].
final class WishReader {
  private static final int TITLE_CHARS = 200;
  private static final int REASON_CHARS = 500;
  private static final Duration LONGEST_HOST_SOAK = Duration.ofDays(7);

  /// Of which nobody hears: where it stands, the request is refused.
  private static final Release NONE = new Release("none", "0");

  private final Body in;

  private WishReader(Body in) {
    this.in = in;
  }

  /// @throws Refusal with everything that is wrong, as far as that can be said without looking at
  ///   devices
  static Asked read(Body in, Instant now) {
    var reader = new WishReader(in);
    Field<Boolean> draft = in.optional("draft", Shapes.FLAG);
    RolloutWish wish = reader.wish(reader.release());
    for (Fault fault : wish.plan().faults(now)) {
      in.wrongToo(fault.pointer(), fault.detail());
    }
    in.done();
    return new Asked(wish, draft.or(false));
  }

  private Release release() {
    Field<String> packageName = in.required("package", name(Names.PACKAGE));
    Field<String> version = in.required("version", name(Names.VERSION));
    return packageName.find().isEmpty() || version.find().isEmpty()
        ? NONE
        : new Release(packageName.get(), version.get());
  }

  private RolloutWish wish(Release release) {
    Field<String> title = in.optional("title", Shapes.words(TITLE_CHARS));
    RolloutPlan plan = plan(release);
    Field<Reach> reach = in.optional("reach", Shapes.word(Reach.values()));
    Field<Duration> soak = in.optional("host_soak_s", Shapes.seconds(LONGEST_HOST_SOAK));
    Field<Boolean> allowDowngrade = in.optional("allow_downgrade", Shapes.FLAG);
    if (plan.window().onClose() == WindowRule.OnClose.ROLL_BACK
        && reach.or(Reach.DEVICE) == Reach.NONE) {
      in.wrong("/window/on_close", "roll-back has nothing to take back with the reach none");
    }
    return new RolloutWish(
        title.or(release.toString()),
        plan,
        reach.or(Reach.DEVICE),
        soak.or(Duration.ZERO),
        allowDowngrade.or(false));
  }

  private RolloutPlan plan(Release release) {
    Field<String> selection = in.required("selection", Shapes.LINES);
    Field<Boolean> everything = in.optional("everything", Shapes.FLAG);
    List<WaveSpec> waves =
        in.each("waves", RolloutPlan.MOST_WAVES).stream().map(WaveReader::read).toList();
    RolloutPlan usual = RolloutPlan.usual(release, selection.or(""));
    RolloutRules rules = RuleReader.fieldsOf(in);
    WindowRule window = window(in.inside("window"));
    Field<List<Window>> windows = in.removable("windows", WindowShapes.ANY);
    Field<Boolean> lateJoiners = in.optional("late_joiners", Shapes.FLAG);
    Field<Instant> startAt = in.removable("start_at", Shapes.INSTANT);
    Field<Instant> notAfter = in.removable("not_after", Shapes.INSTANT);
    Field<Integer> priority = in.optional("priority", Shapes.WHOLE);
    Field<OnBusy> onBusy = in.optional("on_busy", Shapes.word(OnBusy.values()));
    return new RolloutPlan(
        release,
        usual.selection(),
        everything.or(usual.everything()),
        waves,
        rules.limits(),
        rules.thresholds(),
        rules.retries(),
        window,
        lateJoiners.or(usual.lateJoiners()),
        startAt.find(),
        notAfter.find(),
        priority.or(usual.priority()),
        onBusy.or(usual.onBusy()),
        windows.or(List.of()));
  }

  private static WindowRule window(Body in) {
    WindowRule usual = WindowRule.USUAL;
    Field<WindowRule.Mode> rule = in.optional("rule", Shapes.word(WindowRule.Mode.values()));
    Field<String> reason = in.optional("reason", Shapes.text(REASON_CHARS));
    Field<WindowRule.OnClose> onClose =
        in.optional("on_close", Shapes.word(WindowRule.OnClose.values()));
    Field<Duration> ahead = in.optional("prepare_ahead_s", Shapes.WHOLE_SECONDS);
    Field<Duration> takes = in.optional("takes_s", Shapes.WHOLE_SECONDS);
    return new WindowRule(
        rule.or(usual.mode()),
        reason.or(usual.reason()),
        onClose.or(usual.onClose()),
        ahead.or(usual.prepareAhead()),
        takes.or(usual.takes()));
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
}
