package dev.uplift.e2e;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.temporaldev.Stack;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import tools.jackson.databind.JsonNode;

/// The server is killed with -9 at every step of an upgrade with a reboot. What happens to the host
/// is counted on the host.
@Timeout(300)
final class KilledServerTest {
  private static final Stack STACK = Stack.temporary().open();
  private static @Nullable RestClient rest;

  @BeforeAll
  static void startServers() {
    STACK.server().with("UPLIFT_PACE_RESEND", "PT3S");
    STACK.start();
    rest = new RestClient(STACK, "acme");
  }

  @AfterAll
  static void endAll() {
    STACK.close();
  }

  /// A step of the upgrade that goes on until it is let go.
  record Moment(
      String step,
      Consumer<RebootingSite> hold,
      Consumer<RebootingSite> isThere,
      Consumer<RebootingSite> release) {
    @Override
    public String toString() {
      return step;
    }
  }

  static final List<Moment> MOMENTS =
      List.of(
          new Moment(
              "prepare",
              site -> site.os().hold(ScriptedOs.Step.prepare),
              site -> site.awaitEffect("prepare 1.5.0"),
              site -> site.os().release(ScriptedOs.Step.prepare)),
          new Moment(
              "upgrade",
              site -> site.os().hold(ScriptedOs.Step.upgrade),
              site -> site.awaitEffect("upgrade 1.5.0"),
              site -> site.os().release(ScriptedOs.Step.upgrade)),
          new Moment(
              "reboot",
              site -> site.host().neverReturns(),
              RebootingSite::awaitGone,
              site -> site.host().powerOn()),
          new Moment(
              "await-heartbeat",
              site -> site.os().holdAfterUpgrade(),
              site -> site.awaitEffect("boot 1.5.0"),
              site -> site.os().release(ScriptedOs.Step.inspect)));

  @ParameterizedTest
  @FieldSource("MOMENTS")
  void killedWhileAHostIsAtWorkItGoesOnWhereItWas(Moment moment) {
    RebootingSite site = heldAt(moment, "at-work-");

    STACK.server().kill();
    STACK.server().start();
    moment.release().accept(site);

    assertUpgradedOnce(site);
  }

  @ParameterizedTest
  @FieldSource("MOMENTS")
  void killedWhileTheAnswerIsOnItsWayItHearsItLater(Moment moment) {
    RebootingSite site = heldAt(moment, "answering-");

    moment.release().accept(site);
    STACK.server().kill();
    STACK.server().start();

    assertUpgradedOnce(site);
  }

  @Test
  void killedRightAfterTheStartWasAcknowledgedItGoesOn() {
    RebootingSite site = RebootingSite.in(STACK, requireNonNull(rest), "just-started");
    site.startUpgrade();

    STACK.server().kill();
    STACK.server().start();

    assertUpgradedOnce(site);
  }

  @Test
  void killedWhileAHostIsTakenBackItGoesOnWhereItWas() {
    RebootingSite site = RebootingSite.in(STACK, requireNonNull(rest), "goes-back");
    site.startUpgrade();
    site.awaitEnd();
    site.os().hold(ScriptedOs.Step.rollback);
    site.startRevert();
    site.awaitEffect("rollback 1.4.0");

    STACK.server().kill();
    STACK.server().start();
    site.startRevert();
    site.os().release(ScriptedOs.Step.rollback);

    JsonNode end = site.awaitEndOfRevert();
    assertThat(end.path("outcome").asString()).as(end.toPrettyString()).isEqualTo("rolled-back");
    assertThat(end.path("hosts").path(0).path("version").asString()).isEqualTo("1.4.0");
    assertThat(site.os().effects())
        .startsWith(RebootingSite.EACH_ONCE.toArray(String[]::new))
        .endsWith("rollback 1.4.0", "boot 1.4.0")
        .hasSize(RebootingSite.EACH_ONCE.size() + 2);
    site.host().stop();
  }

  private static RebootingSite heldAt(Moment moment, String name) {
    RebootingSite site = RebootingSite.in(STACK, requireNonNull(rest), name + moment);
    moment.hold().accept(site);
    site.startUpgrade();
    moment.isThere().accept(site);
    return site;
  }

  private static void assertUpgradedOnce(RebootingSite site) {
    JsonNode end = site.awaitEnd();

    assertThat(end.path("outcome").asString()).as(end.toPrettyString()).isEqualTo("upgraded");
    assertThat(site.os().effects()).isEqualTo(RebootingSite.EACH_ONCE);
    site.host().stop();
  }
}
