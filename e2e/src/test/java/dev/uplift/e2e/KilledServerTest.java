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
      Consumer<RebootingSite> release) {}

  /// The one whose release takes a while comes first.
  private static final List<Moment> MOMENTS =
      List.of(
          new Moment(
              "reboot",
              site -> site.host().neverReturns(),
              RebootingSite::awaitGone,
              site -> site.host().powerOn()),
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
              "await-heartbeat",
              site -> site.os().holdAfterUpgrade(),
              site -> site.awaitEffect("boot 1.5.0"),
              site -> site.os().release(ScriptedOs.Step.inspect)));

  /// A device whose upgrade stands still in that moment.
  record Held(Moment moment, RebootingSite site) {
    static Held at(Moment moment, String name) {
      RebootingSite site = RebootingSite.in(STACK, requireNonNull(rest), name + moment.step());
      moment.hold().accept(site);
      site.startUpgrade();
      moment.isThere().accept(site);
      return new Held(moment, site);
    }

    void release() {
      moment.release().accept(site);
    }
  }

  @Test
  void killedWhileHostsAreAtWorkAtEveryStepItGoesOnWhereTheyWere() {
    List<Held> all = heldAtEveryStep("at-work-");

    STACK.server().kill();
    STACK.server().start();
    all.forEach(Held::release);

    all.forEach(held -> assertUpgradedOnce(held.site()));
  }

  @Test
  void killedWhileTheAnswersOfEveryStepAreOnTheirWayItHearsThemLater() {
    List<Held> all = heldAtEveryStep("answering-");

    all.forEach(Held::release);
    STACK.server().kill();
    STACK.server().start();

    all.forEach(held -> assertUpgradedOnce(held.site()));
  }

  private static List<Held> heldAtEveryStep(String name) {
    return MOMENTS.stream().map(moment -> Held.at(moment, name)).toList();
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

  private static void assertUpgradedOnce(RebootingSite site) {
    JsonNode end = site.awaitEnd();

    assertThat(end.path("outcome").asString()).as(end.toPrettyString()).isEqualTo("upgraded");
    assertThat(site.os().effects()).isEqualTo(RebootingSite.EACH_ONCE);
    site.host().stop();
  }
}
