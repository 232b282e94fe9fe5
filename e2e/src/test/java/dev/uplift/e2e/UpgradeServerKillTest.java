package dev.uplift.e2e;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.testservers.TestServers;
import java.util.List;
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

  @Test
  void killedWhileHostsWorkOnEveryStepItContinues() {
    List<HeldUpgrade> all = heldAtEveryStep("at-work-");

    STACK.server().kill();
    STACK.server().start();
    all.forEach(HeldUpgrade::releaseHost);

    all.forEach(HeldUpgrade::assertUpgradedOnce);
  }

  @Test
  void killedBeforeTheAnswersOfEveryStepArriveItReceivesThemLater() {
    List<HeldUpgrade> all = heldAtEveryStep("answering-");

    all.forEach(HeldUpgrade::releaseHost);
    STACK.server().kill();
    STACK.server().start();

    all.forEach(HeldUpgrade::assertUpgradedOnce);
  }

  private static List<HeldUpgrade> heldAtEveryStep(String name) {
    return HeldUpgrade.atEveryStep(STACK, requireNonNull(rest), name);
  }

  @Test
  void killedRightAfterTheStartWasAcknowledgedItContinues() {
    RebootUpgradeScenario site = RebootUpgradeScenario.in(STACK, requireNonNull(rest), "just-started");
    site.startUpgrade();

    STACK.server().kill();
    STACK.server().start();

    site.assertUpgradedOnce();
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
}
