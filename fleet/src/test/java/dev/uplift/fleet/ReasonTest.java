package dev.uplift.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.Reason.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

final class ReasonTest {
  static final List<Case> CASES =
      List.of(
          new Case(ErrorClass.FINAL, "bad-image", Kind.ERROR),
          new Case(ErrorClass.RETRYABLE, "link-down", Kind.ERROR),
          new Case(ErrorClass.NEEDS_PERSON, "disk-full", Kind.ERROR),
          new Case(ErrorClass.DECLINED, "busy", Kind.DECLINED),
          // The command came too late: not a failure, whatever class the agent reports.
          new Case(ErrorClass.FINAL, "expired", Kind.DEADLINE),
          new Case(ErrorClass.DECLINED, "expired", Kind.DEADLINE));

  @ParameterizedTest
  @FieldSource("CASES")
  void namesTheCause(Case one) {
    assertThat(Reason.error(one.errorClass, one.code, "").kind()).isEqualTo(one.kind);
  }

  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

  static final List<Example> WORDS =
      List.of(
          new Example(
              Reason.silent(new HostId("left"), NOON),
              Kind.ERROR,
              "host-silent: left is silent since 2026-11-20T12:00:00Z"),
          new Example(
              Reason.neverHeard(new HostId("left"), Instant.parse("2026-11-20T12:00:00Z")),
              Kind.DEADLINE,
              "host-silent: left was not heard until 2026-11-20T12:00:00Z, and nothing on it was changed"),
          new Example(
              Reason.noAnswer("prepare left").withoutBlame(), Kind.DEADLINE, "no-answer: no answer to prepare left"),
          new Example(Reason.noAnswer("upgrade left"), Kind.ERROR, "no-answer: no answer to upgrade left"),
          new Example(
              Reason.notReached("reboot left", new HostState("1.4.0", "", "boot-1", false)),
              Kind.ERROR,
              "not-reached: reboot left took too long: it runs 1.4.0 in boot boot-1"),
          new Example(
              Reason.rebootedDuringSoak(new HostId("left"), Duration.ofHours(2)),
              Kind.ERROR,
              "rebooted-during-soak: left booted again within its soak of PT2H"),
          new Example(
              Reason.deadline(NOON, "upgrade left was not started"),
              Kind.DEADLINE,
              "deadline: not done by 2026-11-20T12:00:00Z: upgrade left was not started"),
          new Example(Reason.abort("ann: wrong site"), Kind.ABORT, "abort: ann: wrong site"));

  @ParameterizedTest
  @FieldSource("WORDS")
  void hasACodeAndAMessage(Example one) {
    assertThat(one.reason.kind()).isEqualTo(one.kind);
    assertThat(one.reason.code() + ": " + one.reason.message()).isEqualTo(one.words);
  }

  record Example(Reason reason, Kind kind, String words) {}

  record Case(ErrorClass errorClass, String code, Kind kind) {}
}
