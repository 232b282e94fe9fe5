package dev.uplift.api.upgrades;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.LiveServer;
import dev.uplift.api.testing.StubHost;
import dev.uplift.api.testing.UpgradeScenario;
import dev.uplift.fleet.HostId;
import dev.uplift.protocol.CommandAction;
import dev.uplift.store.pin.HostHold;
import dev.uplift.store.pin.HostHoldRepository;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class UpgradeAdmissionTest extends UpgradeScenario {
  UpgradeAdmissionTest(LiveServer live) {
    super(live);
  }

  @Test
  void aSecondUpgradeOfADeviceIsRejectedAndNamesTheFirst() {
    try (StubHost host = live.newHost().ignore(CommandAction.PREPARE)) {
      String first = id();
      start(host, first, TO_2).expectStatus(201);

      assertThat(start(host, id(), TO_2).expectStatus(409).detail())
          .isEqualTo("the upgrade %s of %s runs; await its end or abort it".formatted(first, host.name()));
      live.tenant().admin().delete(live.path("devices/" + host.name())).expectStatus(409);
      host.resetBehavior();
      awaitEnd(first);
    }
  }

  @Test
  void anUpgradeThatWouldBeDeclinedIsRejectedBeforeItStarts() {
    try (StubHost host = live.newHost()) {
      String hold = live.path("devices/" + host.name() + "/hold");
      live.tenant().operator().send("POST", hold, "{\"reason\":\"trade fair\"}").expectStatus(200);
      assertThat(start(host, id(), TO_2).expectStatus(409).detail()).isEqualTo("held: held by operator: trade fair");
      live.tenant().operator().delete(hold).expectStatus(200);

      assertThat(start(host, id(), "{\"package\":\"shopd\",\"version\":\"3.0\"}").expectStatus(422).errors())
          .containsExactly("/version: there is no release shopd 3.0 in acme; publish it first");
      String first = id();
      start(host, first, TO_2).expectStatus(201);
      awaitEnd(first);
      String back = "{\"package\":\"shopd\",\"version\":\"1.0\"";
      assertThat(start(host, id(), back + "}").expectStatus(409).detail()).startsWith("downgrade: ");
      String second = id();
      start(host, second, back + ",\"allow_downgrade\":true}").expectStatus(201);
      assertThat(awaitEnd(second).path("outcome").asString()).isEqualTo("upgraded");
    }
  }

  @Test
  void aPinnedPackageIsUpgradedOnlyIfAPersonOverridesThePin() {
    try (StubHost host = live.newHost()) {
      String pin = live.path("devices/" + host.name() + "/pins/shopd");
      live.tenant().operator().send("PUT", pin, "{\"version\":\"1.0\",\"reason\":\"certified\"}").expectStatus(201);

      assertThat(start(host, id(), TO_2).expectStatus(409).detail())
          .isEqualTo("pinned: shopd is pinned to 1.0 by operator: certified; a person may override it");
      String id = id();
      start(host, id, "{\"package\":\"shopd\",\"version\":\"2.0\",\"override_pin\":true}").expectStatus(201);
      assertThat(awaitEnd(id).path("outcome").asString()).isEqualTo("upgraded");
      assertThat(live.tenant().viewer().get(live.path("audit?target=upgrade/" + id)).text())
          .contains("pins overridden");
    }
  }

  @Test
  void whatAnOwnerHoldsIsOverriddenOnlyWhereTheTenantAllowsIt() {
    try (StubHost host = live.newHost()) {
      var hold = new HostHold("shopd", "stocktaking", "root", Instant.now(), Optional.empty());
      live.server().bean(HostHoldRepository.class).record(LiveServer.TENANT, new HostId(host.name()), List.of(hold));
      String overriding = "{\"package\":\"shopd\",\"version\":\"2.0\",\"override_pin\":true}";

      assertThat(start(host, id(), overriding).expectStatus(409).detail())
          .isEqualTo(
              "pinned: shopd is held on %s by its owner (root): stocktaking; only its owner ends it"
                  .formatted(host.name()));
      allowHoldOverride(true);
      try {
        assertThat(start(host, id(), TO_2).expectStatus(409).detail()).endsWith("; a person may override it");
        String id = id();
        start(host, id, overriding).expectStatus(201);
        assertThat(awaitEnd(id).path("outcome").asString()).isEqualTo("upgraded");
        assertThat(host.overriddenHolds()).containsExactly(CommandAction.PREPARE, CommandAction.UPGRADE);
      } finally {
        allowHoldOverride(false);
      }
    }
  }

  private void allowHoldOverride(boolean allow) {
    live.server()
        .clientWithRole("admin", "*")
        .send("PUT", "/v1/tenants/" + LiveServer.TENANT, "{\"allow_hold_override\":" + allow + "}")
        .expectStatus(200);
  }

  @Test
  void inAStoppedTenantNothingBeginsAndWhatRunsGoesToItsEnd() {
    try (StubHost running = live.newHost().ignore(CommandAction.PREPARE);
        StubHost other = live.newHost()) {
      String first = id();
      start(running, first, TO_2).expectStatus(201);
      await(first, upgrade -> waitsFor(upgrade, "prepare"));
      String stop = live.path("stop");
      live.tenant().operator().send("PUT", stop, "{\"reason\":\"a bad release\"}").expectStatus(200);
      try {
        assertThat(start(other, id(), TO_2).expectStatus(409).detail())
            .startsWith("stopped: acme was stopped by operator at ")
            .endsWith(": a bad release");
        running.resetBehavior();
        assertThat(awaitEnd(first).path("outcome").asString()).isEqualTo("upgraded");
      } finally {
        live.tenant().operator().delete(stop).expectStatus(200);
      }
      String second = id();
      start(other, second, TO_2).expectStatus(201);
      assertThat(awaitEnd(second).path("outcome").asString()).isEqualTo("upgraded");
    }
  }
}
