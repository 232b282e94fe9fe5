package dev.uplift.e2e;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.testservers.TestServers;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/// The server is killed with -9 at every step of an upgrade with a reboot. Counts the effects on the host itself.
@Timeout(300)
final class UpgradeServerKillTest {
  private static final Stack STACK = TestServers.stack().open();
  private static @Nullable TestRestClient rest;

  @BeforeAll
  static void startServers() {
    STACK.server().environment("UPLIFT_TIMEOUTS_RESEND_INTERVAL", "PT3S");
    STACK.start();
    rest = new TestRestClient(STACK, "acme");
  }

  @AfterAll
  static void endAll() {
    STACK.close();
  }

  /// A step of the upgrade that lasts until it is released.
  record KillPoint(
      String step,
      Consumer<RebootUpgradeScenario> hold,
      Consumer<RebootUpgradeScenario> awaitReached,
      Consumer<RebootUpgradeScenario> release) {}

  /// The one that takes longest after its release comes first.
  private static final List<KillPoint> KILL_POINTS =
      List.of(
          new KillPoint(
              "reboot",
              site -> site.host().staysOffAfterReboot(),
              RebootUpgradeScenario::awaitHostDown,
              site -> site.host().powerOn()),
          new KillPoint(
              "prepare",
              site -> site.os().hold(ScriptedOs.HoldableVerb.prepare),
              site -> site.awaitEffect("prepare 1.5.0"),
              site -> site.os().release(ScriptedOs.HoldableVerb.prepare)),
          new KillPoint(
              "upgrade",
              site -> site.os().hold(ScriptedOs.HoldableVerb.upgrade),
              site -> site.awaitEffect("upgrade 1.5.0"),
              site -> site.os().release(ScriptedOs.HoldableVerb.upgrade)),
          new KillPoint(
              "await-heartbeat",
              site -> site.os().holdAfterUpgrade(),
              site -> site.awaitEffect("boot 1.5.0"),
              site -> site.os().release(ScriptedOs.HoldableVerb.inspect)));

  /// A device whose upgrade is held at that moment.
  record HeldUpgrade(KillPoint moment, RebootUpgradeScenario site) {
    static HeldUpgrade at(KillPoint killPoint, String name) {
      RebootUpgradeScenario site = RebootUpgradeScenario.in(STACK, requireNonNull(rest), name + killPoint.step());
      killPoint.hold().accept(site);
      site.startUpgrade();
      killPoint.awaitReached().accept(site);
      return new HeldUpgrade(killPoint, site);
    }

    void release() {
      moment.release().accept(site);
    }
  }

  @Test
  void killedWhileHostsWorkOnEveryStepItContinues() {
    List<HeldUpgrade> all = heldAtEveryStep("at-work-");

    STACK.server().kill();
    STACK.server().start();
    all.forEach(HeldUpgrade::release);

    all.forEach(heldUpgrade -> assertUpgradedOnce(heldUpgrade.site()));
  }

  @Test
  void killedBeforeTheAnswersOfEveryStepArriveItReceivesThemLater() {
    List<HeldUpgrade> all = heldAtEveryStep("answering-");

    all.forEach(HeldUpgrade::release);
    STACK.server().kill();
    STACK.server().start();

    all.forEach(heldUpgrade -> assertUpgradedOnce(heldUpgrade.site()));
  }

  private static List<HeldUpgrade> heldAtEveryStep(String name) {
    return KILL_POINTS.stream().map(killPoint -> HeldUpgrade.at(killPoint, name)).toList();
  }

  @Test
  void killedRightAfterTheStartWasAcknowledgedItContinues() {
    RebootUpgradeScenario site = RebootUpgradeScenario.in(STACK, requireNonNull(rest), "just-started");
    site.startUpgrade();

    STACK.server().kill();
    STACK.server().start();

    assertUpgradedOnce(site);
  }

  @Test
  void killedDuringARollbackItContinues() {
    RebootUpgradeScenario site = RebootUpgradeScenario.in(STACK, requireNonNull(rest), "goes-back");
    site.startUpgrade();
    site.awaitEnd();
    site.os().hold(ScriptedOs.HoldableVerb.rollback);
    site.startRevert();
    site.awaitEffect("rollback 1.4.0");

    STACK.server().kill();
    STACK.server().start();
    site.startRevert();
    site.os().release(ScriptedOs.HoldableVerb.rollback);

    JsonNode end = site.awaitEndOfRevert();
    assertThat(end.path("outcome").asString()).as(end.toPrettyString()).isEqualTo("rolled-back");
    assertThat(end.path("hosts").path(0).path("version").asString()).isEqualTo("1.4.0");
    assertThat(site.os().effects())
        .startsWith(RebootUpgradeScenario.EACH_ONCE.toArray(String[]::new))
        .endsWith("rollback 1.4.0", "boot 1.4.0")
        .hasSize(RebootUpgradeScenario.EACH_ONCE.size() + 2);
    site.host().stop();
  }

  private static void assertUpgradedOnce(RebootUpgradeScenario site) {
    JsonNode end = site.awaitEnd();

    assertThat(end.path("outcome").asString()).as(end.toPrettyString()).isEqualTo("upgraded");
    assertThat(site.os().effects()).isEqualTo(RebootUpgradeScenario.EACH_ONCE);
    site.host().stop();
  }
}
