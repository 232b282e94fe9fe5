package dev.uplift.api.rollouts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.uplift.api.json.RequestBinder;
import dev.uplift.api.problem.ProblemException;
import dev.uplift.fleet.ErrorClass;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.RollbackScope;
import dev.uplift.fleet.Step;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.rollout.plan.Gate;
import dev.uplift.fleet.rollout.plan.GroupLimit;
import dev.uplift.fleet.rollout.plan.OnBusy;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.fleet.rollout.plan.ThresholdAction;
import dev.uplift.fleet.rollout.plan.WaveSize;
import dev.uplift.fleet.rollout.plan.WaveSpec;
import dev.uplift.fleet.rollout.plan.WindowRule;
import dev.uplift.fleet.window.Window;
import dev.uplift.services.rollout.RolloutSpec;
import io.micronaut.validation.validator.Validator;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The fields of a rollout in REST, their meaning, and the messages about wrong ones.
final class RolloutRequestTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final RequestBinder BINDER = new RequestBinder(Validator.getInstance(), () -> NOW);
  private static final String BRIEF =
      """
      "package":"os","version":"1.5.0","selection":"labels.region == 'north'"\
      """;
  private static final String WHOLE =
      """
      {"title":"1.5 north","package":"os","version":"1.5.0","selection":"labels.region == 'north'",
       "everything":true,
       "waves":[{"count":1,"spread_by_label":"store","soak_seconds":3600},{"percent":10,"gate":"approval"},
                {"expression":"labels.ring == 'late'"},{"each_value_of":"region","max_parallel":20},
                {"rest":true,"gate":"time","not_before":"2026-12-01T02:00:00Z"}],
       "limits":{"max_parallel":50,"max_preparing":20,"per_minute":60,
                 "group_limits":[{"label":"ha_group","at_most":1}]},
       "thresholds":{"success_percent":90,"failures":null,"failure_percent":7,"min_sample":20,
                     "consecutive_failures":3,"by_outcome":{"stranded":null,"declined":50},"action":"abort"},
       "retries":{"retryable":2,"declined":0,"backoff_seconds":60},
       "window":{"mode":"ignore","reason":"security","on_close":"stop-before-next-host",
                 "prepare_ahead_seconds":7200,"required_time_seconds":900},
       "windows":[{"days_of_week":["mon","tue"],"start_time":"01:00","timezone":"Europe/Berlin",
                   "duration":"4h","blackout_dates":["2026-12-24/2026-12-26"]}],
       "late_joiners":true,"start_at":"2026-11-22T00:00:00Z","not_after":"2026-12-24T00:00:00Z",
       "priority":5,"on_busy":"skip","draft":true,
       "rollback_scope":"host","host_soak_seconds":30,"allow_downgrade":true,
       "step_timeouts":{"upgrade_seconds":7200,"await_heartbeat_seconds":900}}\
      """;

  @Test
  void missingFieldsHaveDefaults() {
    RolloutSpec spec = read("{" + BRIEF + "}");

    assertThat(spec.title()).isEqualTo("os 1.5.0");
    assertThat(spec.plan()).isEqualTo(RolloutPlan.defaults(new Release("os", "1.5.0"), "labels.region == 'north'"));
    assertThat(asked("{" + BRIEF + "}").createsDraft()).isFalse();
    assertThat(spec.rollbackScope()).isEqualTo(RollbackScope.DEVICE);
    assertThat(spec.hostSoak()).isZero();
    assertThat(spec.allowDowngrade()).isFalse();
  }

  @Test
  void everyFieldIsRead() {
    RolloutSpec spec = read(WHOLE);
    RolloutPlan plan = spec.plan();

    assertThat(spec.title()).isEqualTo("1.5 north");
    assertThat(asked(WHOLE).createsDraft()).isTrue();
    assertThat(spec.rollbackScope()).isEqualTo(RollbackScope.HOST);
    assertThat(spec.hostSoak()).isEqualTo(Duration.ofSeconds(30));
    assertThat(spec.stepTimeouts().byStep())
        .isEqualTo(Map.of(Step.UPGRADE, Duration.ofHours(2), Step.AWAIT_HEARTBEAT, Duration.ofMinutes(15)));
    assertThat(spec.allowDowngrade()).isTrue();
    assertThat(plan.everything()).isTrue();
    assertThat(plan.waves())
        .containsExactly(
            WaveSpec.of(new WaveSize.Count(1)).spreadOver("store").withSoak(Duration.ofHours(1)),
            WaveSpec.of(new WaveSize.Percent(10)).withGate(new Gate.Approval()),
            WaveSpec.of(new WaveSize.Matching("labels.ring == 'late'")),
            WaveSpec.of(new WaveSize.PerValue("region")).withMaxParallel(20),
            WaveSpec.of(new WaveSize.Rest()).withGate(new Gate.Time(Instant.parse("2026-12-01T02:00:00Z"))));
    assertThat(plan.limits().maxParallel()).isEqualTo(50);
    assertThat(plan.limits().maxPreparing()).isEqualTo(20);
    assertThat(plan.limits().perMinute()).contains(60);
    assertThat(plan.limits().perLabel()).containsExactly(new GroupLimit("ha_group", 1));
    assertThat(plan.thresholds().successPercent()).isEqualTo(90);
    assertThat(plan.thresholds().failures()).isEmpty();
    assertThat(plan.thresholds().failurePercent()).contains(7);
    assertThat(plan.thresholds().minSample()).isEqualTo(20);
    assertThat(plan.thresholds().consecutiveFailures()).contains(3);
    assertThat(plan.thresholds().byOutcome()).isEqualTo(Map.of(TargetResult.DECLINED, 50));
    assertThat(plan.thresholds().action()).isEqualTo(ThresholdAction.ABORT);
    assertThat(plan.retries().limits()).isEqualTo(Map.of(ErrorClass.RETRYABLE, 2, ErrorClass.DECLINED, 0));
    assertThat(plan.retries().backOff()).isEqualTo(Duration.ofMinutes(1));
    assertThat(plan.window())
        .isEqualTo(
            new WindowRule(
                WindowRule.Mode.IGNORE,
                "security",
                WindowRule.OnClose.STOP_BEFORE_NEXT_HOST,
                Duration.ofHours(2),
                Duration.ofMinutes(15)));
    assertThat(plan.windows())
        .extracting(Window::toString)
        .containsExactly("monday,tuesday 01:00 Europe/Berlin for 4h except 2026-12-24/2026-12-26");
    assertThat(plan.lateJoiners()).isTrue();
    assertThat(plan.startAt()).contains(Instant.parse("2026-11-22T00:00:00Z"));
    assertThat(plan.notAfter()).contains(Instant.parse("2026-12-24T00:00:00Z"));
    assertThat(plan.priority()).isEqualTo(5);
    assertThat(plan.onBusy()).isEqualTo(OnBusy.SKIP);
  }

  @Test
  void writtenRolloutIsReadBack() {
    for (String json : List.of("{" + BRIEF + "}", WHOLE)) {
      RolloutSpec spec = read(json);

      assertThat(read(RolloutRequest.of(spec).toJson().toString())).isEqualTo(spec);
    }
  }

  @Test
  void missingThresholdsHaveDefaults() {
    var thresholds = read("{" + BRIEF + ",\"thresholds\":{\"by_outcome\":{\"declined\":9}}}").plan().thresholds();

    assertThat(thresholds.failures()).contains(2);
    assertThat(thresholds.byOutcome()).isEqualTo(Map.of(TargetResult.STRANDED, 1, TargetResult.DECLINED, 9));
  }

  /// Fields that are added to a minimal body, and the expected faults.
  record Case(String json, List<String> faults) {
    Case(String json, String... faults) {
      this(json, List.of(faults));
    }

    @Override
    public String toString() {
      return json;
    }
  }

  static List<Case> wrong() {
    return List.of(
        new Case(
            "\"wave\":[]",
            "/wave: unknown field; expected one of draft, package, version, title, selection,"
                + " everything, waves, limits, thresholds, retries, window, windows, late_joiners,"
                + " start_at, not_after, priority, on_busy, rollback_scope, host_soak_seconds,"
                + " allow_downgrade, step_timeouts"),
        new Case(
            "\"window\":{\"on_close\":\"roll-back\"},\"rollback_scope\":\"none\"",
            "/window/on_close: roll-back has nothing to roll back with the rollback_scope none"),
        new Case(
            "\"windows\":[{\"days_of_week\":[],\"start_time\":\"25:00\"}]",
            "/windows/0/days_of_week: expected 1 to 7 items, found 0",
            "/windows/0/duration: is missing: duration is required",
            "/windows/0/start_time: expected a time of day from 00:00 to 23:59 such as 02:30," + " found \"25:00\""),
        new Case("\"title\":\" \"", "/title: expected a text that is not empty"),
        new Case("\"waves\":{}", "/waves: expected a list, found an object"),
        new Case("\"waves\":[3]", "/waves/0: expected an object, found 3"),
        new Case(
            "\"waves\":[{},{\"rest\":true}]",
            "/waves/0: expected one of count, percent, expression, each_value_of, rest, found" + " none"),
        new Case(
            "\"waves\":[{\"count\":1,\"rest\":true}]",
            "/waves/0: expected one of count, percent, expression, each_value_of, rest," + " found count and rest"),
        new Case("\"waves\":[{\"rest\":false}]", "/waves/0/rest: expected true, or no such field"),
        new Case("\"waves\":[{\"count\":0}]", "/waves/0/count: expected at least 1, found 0"),
        new Case(
            "\"waves\":[{\"percent\":101,\"soak_seconds\":-1}]",
            "/waves/0/percent: expected 1 to 100, found 101",
            "/waves/0/soak_seconds: expected 0 to 7776000, found -1"),
        new Case(
            "\"waves\":[{\"percent\":60},{\"percent\":60}]",
            "/waves/1/percent: makes 120 % with the waves before it; expected at most 100" + " together"),
        new Case(
            "\"waves\":[{\"rest\":true},{\"count\":1}]",
            "/waves/0/rest: leaves nothing to later waves; expected it last"),
        new Case(
            "\"waves\":[{\"rest\":true,\"gate\":\"time\"}]",
            "/waves/0/not_before: is missing: the gate time needs the time at which it opens"),
        new Case(
            "\"waves\":[{\"rest\":true,\"gate\":\"approval\"," + "\"not_before\":\"2026-12-01T00:00:00Z\"}]",
            "/waves/0/not_before: expected only with the gate time"),
        new Case(
            "\"waves\":[{\"rest\":true,\"gate\":\"never\"}]",
            "/waves/0/gate: expected one of automatic, approval, time, found \"never\""),
        new Case(
            "\"limits\":{\"max_parallel\":0,\"group_limits\":[{\"label\":\"ha\",\"at_most\":0},"
                + "{\"lable\":\"ha\"}]}",
            "/limits/group_limits/1/label: is missing: label is required",
            "/limits/group_limits/1/at_most: is missing: at_most is required",
            "/limits/group_limits/1/lable: unknown field; expected one of label, at_most",
            "/limits/max_parallel: expected at least 1, found 0",
            "/limits/group_limits/0/at_most: expected at least 1, found 0"),
        new Case(
            "\"thresholds\":{\"failures\":-1,\"failure_percent\":200,\"min_sample\":null}",
            "/thresholds/min_sample: expected a whole number, found null",
            "/thresholds/failures: expected at least 1, found -1",
            "/thresholds/failure_percent: expected 1 to 100, found 200"),
        new Case(
            "\"thresholds\":{\"by_outcome\":{\"upgraded\":1,\"lost\":2}}",
            "/thresholds/by_outcome/lost: unknown field; expected one of no-action, upgraded,"
                + " prepare-failed, rolled-back, partial, stranded, unhealthy, declined, expired,"
                + " aborted, offline",
            "/thresholds/by_outcome/upgraded: is no outcome to stop at; expected one that is not a" + " success"),
        new Case(
            "\"thresholds\":{\"action\":\"shout\"}",
            "/thresholds/action: expected one of pause, abort, roll-back-wave, found \"shout\""),
        new Case(
            "\"retries\":{\"retryable\":11,\"often\":1}",
            "/retries/often: unknown field; expected one of retryable, final, declined,"
                + " needs-person, backoff_seconds",
            "/retries/retryable: expected 0 to 10, found 11"),
        new Case(
            "\"window\":{\"mode\":\"ignore\"}",
            "/window/reason: is empty; expected why the windows of the devices are ignored"),
        new Case(
            "\"not_after\":\"2026-11-20T00:00:00Z\"",
            "/not_after: 2026-11-20T00:00:00Z is past; expected a time in the future"),
        new Case(
            "\"start_at\":\"tomorrow\"",
            "/start_at: expected a time with its offset such as 2026-12-24T18:00:00Z," + " found \"tomorrow\""),
        new Case("\"priority\":2000", "/priority: expected -1000 to 1000, found 2000"),
        new Case("\"priority\":1.5", "/priority: expected a whole number, found 1.5"),
        new Case("\"host_soak_seconds\":604801", "/host_soak_seconds: expected 0 to 604800, found 604801"));
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void faultsHaveTheirPointers(Case wrong) {
    assertThat(faults("{" + BRIEF + "," + wrong.json() + "}")).containsExactlyElementsOf(wrong.faults());
  }

  @Test
  void allFaultsAreReportedAtOnce() {
    assertThat(
            faults(
                """
                {"package":"OS","selection":" ","waves":[{"percent":0},7,{"rest":true,"x":1}],
                 "thresholds":{"failures":"two"},"late_joiners":1,"priority":-5000}\
                """))
        .containsExactlyInAnyOrder(
            "/package: expected a name like ^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$, found \"OS\"",
            "/version: is missing: version is required",
            "/selection: is empty; expected one such as labels.region == 'north'",
            "/waves/0/percent: expected 1 to 100, found 0",
            "/waves/1: expected an object, found 7",
            "/waves/2/x: unknown field; expected one of count, percent, expression, each_value_of,"
                + " rest, spread_by_label, gate, not_before, soak_seconds, max_parallel",
            "/thresholds/failures: expected a whole number, found \"two\"",
            "/late_joiners: expected true or false, found 1",
            "/priority: expected -1000 to 1000, found -5000");
  }

  private static RolloutSpec read(String json) {
    return asked(json).spec();
  }

  private static RolloutRequest asked(String json) {
    return BINDER.bind(RolloutRequest.class, json.getBytes(UTF_8));
  }

  private static List<String> faults(String json) {
    ProblemException problemException = catchThrowableOfType(ProblemException.class, () -> read(json));
    assertThat(problemException).as(json).isNotNull();
    return problemException.problem().errors().stream()
        .map(requestError -> requestError.pointer().orElseThrow() + ": " + requestError.detail())
        .toList();
  }
}
