package dev.uplift.api.rollouts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.activities.rollout.Planned;
import dev.uplift.activities.rollout.RolloutPlanner;
import dev.uplift.api.server.Answer;
import dev.uplift.api.server.SharedServer;
import dev.uplift.api.server.Tenant;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.Waiting;
import dev.uplift.store.Rollouts;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Rollouts as they are asked for and shown. Temporal is away: what is in the records is there all
/// the same, and nothing is steered.
@ExtendWith(SharedServer.class)
final class RolloutsTest {
  private static final String ALL =
      """
      {"package":"shopd","version":"2.0","selection":"labels.region == 'north'",
       "everything":true,"waves":[{"count":1},{"rest":true,"gate":"approval"}]}\
      """;

  private static final String DRAFT = ALL.replace("{\"package", "{\"draft\":true,\"package");

  @Test
  void aCheckedRolloutSaysWhoIsInWhichWaveAndStoresNothing(Tenant tenant) {
    fleet(tenant, 4);
    Answer checked = create(tenant, "north?validate=true", ALL).is(200);

    assertThat(checked.json().path("id").asString()).isEqualTo("north");
    assertThat(checked.json().path("devices").asInt()).isEqualTo(4);
    assertThat(checked.json().path("waves").toString()).contains("\"number\":1", "\"devices\":3");
    assertThat(checked.json().path("waves").get(0).path("sample").size()).isEqualTo(1);
    assertThat(list(tenant, "")).isEmpty();

    running(tenant);
    assertThat(devices(tenant, "north", "?wave=1"))
        .as("the same canary as it was told")
        .containsExactly(checked.json().path("waves").get(0).path("sample").get(0).asString());
  }

  @Test
  void aRolloutIsShownWithPlanWavesAndCounts(Tenant tenant) {
    fleet(tenant, 4);
    Answer created = create(tenant, "north", ALL).is(201);
    Answer shown = tenant.viewer().get(tenant.path("rollouts/north")).is(200);

    assertThat(shown.text()).isEqualTo(created.text());
    assertThat(shown.header("ETag")).isPresent();
    assertThat(created.header("Location"))
        .contains("/v1/tenants/%s/rollouts/north".formatted(tenant.name()));
    assertThat(shown.json().path("title").asString()).isEqualTo("shopd 2.0");
    assertThat(shown.json().path("state").asString()).isEqualTo("running");
    assertThat(shown.json().path("created_by").asString()).isEqualTo("operator");
    assertThat(shown.json().path("counts").path("pending").asInt()).isEqualTo(4);
    assertThat(shown.texts("wave_list", "state")).containsExactly("pending", "pending");
    assertThat(shown.json().path("plan").path("thresholds").path("failures").asInt()).isEqualTo(2);
    assertThat(shown.json().path("plan").path("thresholds").has("in_a_row"))
        .as("that there is no limit is said")
        .isTrue();
    assertThat(shown.json().path("plan").path("waves").get(1).path("gate").asString())
        .isEqualTo("approval");
    assertThat(shown.json().path("links").path("temporal").asString())
        .endsWith("/workflows/rollout%2F" + tenant.name() + "%2Fnorth");
    assertThat(shown.json().path("possible").toString()).contains("pause", "abort");
    assertThat(list(tenant, "?state=running&package=shopd")).containsExactly("north");
    assertThat(list(tenant, "?state=ended")).isEmpty();
    assertThat(devices(tenant, "north", "?state=pending")).hasSize(4);
    assertThat(get(tenant, "north/waves").texts("items", "title")).hasSize(2);
    assertThat(get(tenant, "north/failures").texts("items", "code")).isEmpty();
    assertThat(get(tenant, "north/decisions").texts("items", "decision")).isEmpty();
    assertThat(get(tenant, "north/left-out").texts("items", "device")).isEmpty();
  }

  @Test
  void theSameKeyIsTheSameRolloutAndAnotherPlanIsRefused(Tenant tenant) {
    fleet(tenant, 3);
    String usual = DRAFT.replaceAll(",\"waves\".*]", "");
    Answer first = create(tenant, "north", usual).is(201);

    assertThat(create(tenant, "north", usual).is(200).text()).isEqualTo(first.text());
    assertThat(create(tenant, "north", DRAFT).is(409).detail())
        .contains("north is that of the rollout \"shopd 2.0\" by operator");
    assertThat(create(tenant, "No", ALL).is(400).faults())
        .containsExactly("Idempotency-Key: expected ^[a-z0-9][a-z0-9-]{0,31}$");
    assertThat(audit(tenant)).containsExactly("rollout.create");
  }

  @Test
  void whatCannotBeIsRefusedWithItsPlace(Tenant tenant) {
    fleet(tenant, 2);

    assertThat(create(tenant, "x", ALL.replace("2.0", "9.9")).is(422).faults())
        .containsExactly(
            "/version: there is no release shopd 9.9 in %s; publish it first"
                .formatted(tenant.name()));
    assertThat(create(tenant, "x", ALL.replace("north", "south")).is(422).faults())
        .containsExactly(
            "/selection: takes none of the 2 devices; expected one that is true of"
                + " at least one");
    assertThat(create(tenant, "x", ALL.replace("labels.region ==", "lables.region ==")).status())
        .isEqualTo(422);
    assertThat(
            create(tenant, "x", ALL.replace("true", "false").replace("false,\"gate", "true,\"gate"))
                .is(422)
                .faults())
        .containsExactly(
            "/everything: the selection takes all 2 devices; expected true to confirm that");
    assertThat(create(tenant, "x", "{}").is(400).faults()).hasSize(3);
    assertThat(list(tenant, "")).isEmpty();
    assertThat(audit(tenant)).isEmpty();
  }

  @Test
  void aDraftIsChangedStartedOrTakenAway(Tenant tenant) {
    fleet(tenant, 3);
    Answer made = create(tenant, "north", DRAFT).is(201);
    assertThat(made.json().path("state").asString()).isEqualTo("draft");
    String path = tenant.path("rollouts/north");
    String tag = made.header("ETag").orElseThrow();

    tenant.operator().with("If-Match", "\"99\"").send("PATCH", path, "{\"priority\":3}").is(412);
    Answer patched =
        tenant.operator().with("If-Match", tag).send("PATCH", path, "{\"priority\":3}").is(200);
    assertThat(patched.json().path("priority").asInt()).isEqualTo(3);
    assertThat(patched.json().path("plan").path("waves").size()).isEqualTo(2);
    assertThat(patched.header("ETag")).isNotEqualTo(made.header("ETag"));
    assertThat(tenant.operator().send("PATCH", path, "{\"priority\":3000}").is(400).faults())
        .containsExactly("/priority: expected -1000 to 1000, found 3000");
    assertThat(tenant.operator().send("POST", path + "/pause", "{}").is(409).detail())
        .isEqualTo("the rollout is draft; possible now: start");
    assertThat(tenant.operator().send("POST", path + "/start?validate=true", "{}").is(200).text())
        .contains("would start with 3 devices");
    assertThat(tenant.operator().send("POST", path + "/start", "{}").is(200).text())
        .contains("the rollout is running");
    tenant.operator().delete(path).is(409);
    tenant.operator().send("PATCH", path, "{}").is(409);
    create(tenant, "south", DRAFT).is(201);
    tenant.operator().delete(tenant.path("rollouts/south?validate=true")).is(204);
    tenant.operator().delete(tenant.path("rollouts/south")).is(204);
    tenant.viewer().get(tenant.path("rollouts/south")).is(404);
    assertThat(audit(tenant))
        .containsExactly(
            "rollout.delete", "rollout.create", "rollout.start", "rollout.patch", "rollout.create");
  }

  @Test
  void whatIsToldIsCheckedByStateAndWaitsForTemporal(Tenant tenant) {
    fleet(tenant, 3);
    running(tenant);
    List<String> possible =
        List.of("pause", "abort", "next-wave", "mark-done", "retry-failed", "roll-back");
    String path = tenant.path("rollouts/north/");

    for (String what : possible) {
      tenant.operator().send("POST", path + what + "?validate=true", "{}").is(200);
    }
    tenant.operator().send("POST", path + "pause", "{}").is(503);
    tenant.operator().send("POST", path + "devices?validate=true", "{\"device\":\"d0\"}").is(200);
    tenant.operator().send("POST", path + "devices/d0/skip?validate=true", "{}").is(200);
    tenant.operator().send("PUT", path + "rules?validate=true", "{}").is(200);
    assertThat(tenant.operator().send("POST", path + "resume", "{}").is(409).detail())
        .startsWith("the rollout is running; possible now: pause, abort,");
    assertThat(
            tenant
                .operator()
                .send("POST", path + "retry-failed", "{\"code\":\"x\"}")
                .is(400)
                .faults())
        .containsExactly("/code: unknown field; there may be reason, codes");
    assertThat(
            tenant
                .operator()
                .send("PUT", path + "rules", "{\"thresholds\":{\"failures\":0}}")
                .is(400)
                .faults())
        .containsExactly("/thresholds/failures: expected at least 1, found 0");
    tenant.operator().with("If-Match", "\"99\"").send("PUT", path + "rules", "{}").is(412);
  }

  @Test
  void anotherPersonThanTheAuthorApproves(Tenant tenant) {
    fleet(tenant, 3);
    running(tenant);
    tenant
        .server()
        .bean(Rollouts.class)
        .stand(
            new RolloutId(tenant.name(), "north"),
            RolloutState.WAITING_APPROVAL,
            Optional.of(Waiting.APPROVAL),
            "wave 2 waits for another person than operator",
            Optional.of(Instant.parse("2027-01-01T00:00:00Z")));
    String path = tenant.path("rollouts/north/approve?validate=true");

    Answer shown = get(tenant, "north");
    assertThat(shown.json().path("waiting_for").path("word").asString()).isEqualTo("approval");
    assertThat(shown.json().path("waiting_for").path("until").asString())
        .isEqualTo("2027-01-01T00:00:00Z");
    assertThat(tenant.operator().send("POST", path, "{}").is(403).detail())
        .isEqualTo("operator made this rollout; another person has to approve it");
    tenant.admin().send("POST", path, "{\"reason\":\"looks well\"}").is(200);
  }

  private static void fleet(Tenant tenant, int devices) {
    for (int i = 0; i < devices; i++) {
      tenant
          .admin()
          .send(
              "PUT",
              tenant.path("devices/d" + i),
              "{\"hosts\":[\"h%d\"],\"labels\":{\"region\":\"north\"}}".formatted(i))
          .is(201);
    }
    tenant
        .admin()
        .send("POST", tenant.path("releases"), tenant.server().home().release("shopd", "2.0", 20))
        .is(201);
  }

  /// As it is once it has been started, without the wait for a Temporal that is away.
  private static void running(Tenant tenant) {
    create(tenant, "north", DRAFT).is(201);
    assertThat(
            tenant
                .server()
                .bean(RolloutPlanner.class)
                .launch(new RolloutId(tenant.name(), "north")))
        .isInstanceOf(Planned.Created.class);
  }

  private static Answer create(Tenant tenant, String id, String body) {
    String query = id.contains("?") ? id.substring(id.indexOf('?')) : "";
    return tenant
        .operator()
        .with("Idempotency-Key", id.replace(query, ""))
        .send("POST", tenant.path("rollouts" + query), body);
  }

  private static Answer get(Tenant tenant, String below) {
    return tenant.viewer().get(tenant.path("rollouts/" + below)).is(200);
  }

  private static List<String> list(Tenant tenant, String query) {
    return tenant.viewer().get(tenant.path("rollouts" + query)).is(200).texts("items", "id");
  }

  private static List<String> devices(Tenant tenant, String rollout, String query) {
    return get(tenant, rollout + "/devices" + query).texts("items", "device");
  }

  private static List<String> audit(Tenant tenant) {
    return tenant.viewer().get(tenant.path("audit")).is(200).texts("items", "action").stream()
        .filter(action -> action.startsWith("rollout."))
        .toList();
  }
}
