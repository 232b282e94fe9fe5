package dev.uplift.api.policies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.rollouts.TestFleet;
import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.TestResponse;
import dev.uplift.api.testing.TestTenant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

@ExtendWith(SharedServerExtension.class)
final class PolicyControllerTest {
  private static final String NORTH =
      """
      {"package":"shopd","target":{"version":"2.0"},"selection":"labels.region == 'north'"}\
      """;

  @Test
  void aPolicyIsShownAsItWasPutAndCanBeWrittenAgain(TestTenant testTenant) {
    TestFleet.of(testTenant, 4);
    TestResponse put = put(testTenant, "north", NORTH).expectStatus(201);

    JsonNode policy = put.json();
    assertThat(put.header("ETag")).contains("\"1\"");
    assertThat(policy.path("enabled").asBoolean()).isFalse();
    assertThat(policy.path("policy").path("target").path("version").asString()).isEqualTo("2.0");
    assertThat(policy.path("policy").path("unknown_version").asString()).isEqualTo("leave");
    assertThat(put(testTenant, "north", policy.path("policy").toString()).expectStatus(200).text())
        .isEqualTo(put.text());
    assertThat(testTenant.viewer().get(path(testTenant, "north")).expectStatus(200).text()).isEqualTo(put.text());
    testTenant.viewer().withHeader("If-None-Match", "\"1\"").get(path(testTenant, "north")).expectStatus(304);
    assertThat(testTenant.viewer().get(testTenant.path("policies")).expectStatus(200).texts("items", "name"))
        .containsExactly("north");
  }

  @Test
  void aChangeSupportsIfMatchAndIsAudited(TestTenant testTenant) {
    TestFleet.of(testTenant, 4);
    put(testTenant, "north", NORTH).expectStatus(201);
    String path = path(testTenant, "north");

    testTenant.operator().withHeader("If-None-Match", "*").send("PUT", path, NORTH).expectStatus(412);
    testTenant.operator().withHeader("If-Match", "\"7\"").send("PATCH", path, "{\"priority\":3}").expectStatus(412);
    TestResponse patched =
        testTenant.operator().withHeader("If-Match", "\"1\"").send("PATCH", path, "{\"priority\":3}").expectStatus(200);
    assertThat(patched.json().path("priority").asInt()).isEqualTo(3);
    assertThat(patched.header("ETag")).contains("\"2\"");
    testTenant.operator().withHeader("If-Match", "\"1\"").send("POST", path + "/enable", "").expectStatus(412);
    testTenant.operator().send("POST", path + "/enable", "").expectStatus(200);
    assertThat(testTenant.operator().send("POST", path + "/disable", "").expectStatus(200).header("ETag"))
        .contains("\"4\"");
    testTenant.operator().delete(path + "?validate=true").expectStatus(204);
    testTenant.operator().delete(path).expectStatus(204);
    testTenant.operator().delete(path).expectStatus(404);
    assertThat(
            testTenant
                .viewer()
                .get(testTenant.path("audit?target=policy/north"))
                .expectStatus(200)
                .texts("items", "action"))
        .containsExactly("policy.delete", "policy.disable", "policy.enable", "policy.put", "policy.put");
  }

  /// OH-17, OH-18, OH-19, OH-25.
  @Test
  void aPolicySaysWhatItIsForAndWhoPutIt(TestTenant testTenant) {
    TestFleet.of(testTenant, 1);
    String described =
        NORTH.replace(
            "{\"package\"",
            "{\"title\":\"The north\",\"description\":\"Agreed with the north.\\nSee the contract.\",\"package\"");

    JsonNode policy = put(testTenant, "north", described).expectStatus(201).json();

    assertThat(policy.path("title").asString()).isEqualTo("The north");
    assertThat(policy.path("description").asString()).isEqualTo("Agreed with the north.\nSee the contract.");
    assertThat(policy.path("policy").path("description")).isEqualTo(policy.path("description"));
    assertThat(policy.path("created_by").asString()).isNotEmpty().isEqualTo(policy.path("changed_by").asString());
    assertThat(policy.path("changed_at").asString()).endsWith("Z");
    assertThat(
            testTenant
                .operator()
                .send("PATCH", path(testTenant, "north"), "{\"description\":\"x\\u0007\"}")
                .expectStatus(400)
                .errors())
        .hasSize(1);
    JsonNode changed =
        testTenant
            .operator()
            .send("PATCH", path(testTenant, "north"), "{\"description\":null}")
            .expectStatus(200)
            .json();
    assertThat(changed.path("description").asString()).isEmpty();
    assertThat(changed.path("title").asString()).isEqualTo("The north");
    assertThat(changed.path("version").asInt()).isEqualTo(2);
  }

  @Test
  void aSelectionOfAllDevicesHasToBeConfirmed(TestTenant testTenant) {
    TestFleet.of(testTenant, 4);
    String all = NORTH.replace("labels.region == 'north'", "true");

    assertThat(put(testTenant, "all", all).expectStatus(422).errors())
        .containsExactly("/everything: the selection takes all 4 devices; expected true to confirm that");
    put(testTenant, "all", all.replace("{\"package\"", "{\"everything\":true,\"package\"")).expectStatus(201);
  }

  /// OH-39, OH-40. A tenant gets its usual policy before it has devices.
  @Test
  void anExpressionThatIsAlwaysTrueHasToBeConfirmedInATenantWithoutDevices(TestTenant testTenant) {
    String all = NORTH.replace("labels.region == 'north'", "1 < 2 || false");

    for (String query : new String[] {"", "?validate=true"}) {
      assertThat(put(testTenant, "all" + query, all).expectStatus(422).errors())
          .containsExactly("/everything: the selection takes all 0 devices; expected true to confirm that");
    }
    put(testTenant, "all", NORTH).expectStatus(201);
    testTenant.operator().send("PATCH", path(testTenant, "all"), "{\"selection\":\"true\"}").expectStatus(422);
    testTenant
        .operator()
        .send("PATCH", path(testTenant, "all"), "{\"selection\":\"true\",\"everything\":true}")
        .expectStatus(200);
    testTenant.operator().send("POST", path(testTenant, "all") + "/enable", "").expectStatus(200);
  }

  @Test
  void aPolicyThatHasComeToSelectAllDevicesIsNotEnabledUnconfirmed(TestTenant testTenant) {
    put(testTenant, "all", NORTH.replace("labels.region == 'north'", "hosts > 0")).expectStatus(201);
    TestFleet.of(testTenant, 4);
    String enable = path(testTenant, "all") + "/enable";

    for (String query : new String[] {"", "?validate=true"}) {
      assertThat(testTenant.operator().send("POST", enable + query, "").expectStatus(422).errors())
          .containsExactly("/everything: the selection takes all 4 devices; expected true to confirm that");
    }

    assertThat(testTenant.viewer().get(path(testTenant, "all")).json().path("enabled").asBoolean()).isFalse();
    testTenant.operator().send("POST", path(testTenant, "all") + "/disable", "").expectStatus(200);
    testTenant.operator().send("PATCH", path(testTenant, "all"), "{\"everything\":true}").expectStatus(200);
    testTenant.operator().send("POST", enable, "").expectStatus(200);
  }

  @Test
  void aPolicyForTheOnlyDeviceNeedsNoConfirmation(TestTenant testTenant) {
    testTenant.putDevice("only", "only");

    put(testTenant, "only", NORTH.replace("labels.region == 'north'", "device == 'only'")).expectStatus(201);

    testTenant.operator().send("POST", path(testTenant, "only") + "/enable", "").expectStatus(200);
  }

  @Test
  void faultsAreToldAllAtOnce(TestTenant testTenant) {
    TestFleet.of(testTenant, 1);
    assertThat(
            put(
                    testTenant,
                    "north",
                    """
                    {"package":"Shopd","target":{"version":"2.0","channel":"stable"},"selection":"labels.region = 1",
                     "priority":5000,"rollout":{"waves":[{"rest":true},{"rest":true}]},"offered":true}\
                    """)
                .expectStatus(400)
                .errors())
        .anyMatch(error -> error.startsWith("/package: "))
        .anyMatch(
            error -> error.equals("/target: expected version, at_least, channel or offered, and one of them only"))
        .anyMatch(error -> error.startsWith("/selection: line 1"))
        .anyMatch(error -> error.startsWith("/priority: "))
        .anyMatch(error -> error.startsWith("/rollout/waves/0/rest: leaves nothing to later waves"))
        .anyMatch(error -> error.startsWith("/offered: "));
  }

  @Test
  void aPolicyForWhatHostsAreOfferedSaysWhatItKnowsOfThem(TestTenant testTenant) {
    TestFleet.of(testTenant, 4);
    String offered = NORTH.replaceFirst("\\{\"version\":\"[^\"]*\"}", "{\"offered\":true}");

    JsonNode policy = put(testTenant, "patches", offered).expectStatus(201).json().path("policy");

    assertThat(policy.path("target").toString()).isEqualTo("{\"offered\":true}");
    put(testTenant, "patches", policy.toString()).expectStatus(200);
    put(testTenant, "follows", NORTH).expectStatus(201);
    testTenant
        .operator()
        .send("PATCH", path(testTenant, "follows"), "{\"target\":{\"offered\":true}}")
        .expectStatus(200);
    JsonNode status = status(testTenant, "patches");
    assertThat(status.path("version").asString()).as("the newest release").isNotEmpty();
    assertThat(status.path("not_satisfied").path(0).path("reason").asString()).isEqualTo("offers-unknown");
    assertThat(
            put(testTenant, "patches", offered.replace("true}", "true,\"version\":\"2.0\"}"))
                .expectStatus(400)
                .errors())
        .containsExactly("/target: expected version, at_least, channel or offered, and one of them only");
    assertThat(put(testTenant, "patches", offered.replace("true}", "false}")).expectStatus(400).errors())
        .containsExactly("/target: expected version, at_least, channel or offered, and one of them only");
  }

  /// OH-52.
  @Test
  void aPolicyBeginsAtThatInstantWhateverTheZoneItWasWrittenIn(TestTenant testTenant) {
    TestFleet.of(testTenant, 4);
    String later = NORTH.replace("{\"package\"", "{\"start_at\":\"2099-01-01T02:00:00+02:00\",\"package\"");

    JsonNode policy = put(testTenant, "north", later).expectStatus(201).json().path("policy");

    assertThat(policy.path("start_at").asString()).isEqualTo("2099-01-01T00:00:00Z");
    assertThat(status(testTenant, "north").path("not_satisfied").path(0).path("until").asString())
        .isEqualTo("2099-01-01T00:00:00Z");
    assertThat(put(testTenant, "north", later.replace("+02:00", "")).expectStatus(400).errors())
        .singleElement()
        .asString()
        .startsWith("/start_at: ");
  }

  @Test
  void aPolicyThatBeginsInRunsSaysSo(TestTenant testTenant) {
    TestFleet.of(testTenant, 4);
    String weekly =
        NORTH.replace("{\"package\"", "{\"cron\":\"0 22 * * 6\",\"cron_zone\":\"Europe/Berlin\",\"package\"");
    JsonNode policy = put(testTenant, "weekly", weekly).expectStatus(201).json().path("policy");
    assertThat(policy.path("cron").asString()).isEqualTo("0 22 * * 6");
    assertThat(policy.path("cron_zone").asString()).isEqualTo("Europe/Berlin");
    put(testTenant, "weekly", policy.toString()).expectStatus(200);
    assertThat(
            testTenant
                .operator()
                .send("PATCH", path(testTenant, "weekly") + "?validate=true", "{\"cron\":null,\"cron_zone\":null}")
                .expectStatus(200)
                .json()
                .path("policy")
                .has("cron"))
        .isFalse();

    JsonNode waiting = status(testTenant, "weekly").path("not_satisfied").path(0);

    assertThat(waiting.path("reason").asString()).isEqualTo("next-run");
    assertThat(waiting.path("message").asString()).isEqualTo("begins with the next run (0 22 * * 6 Europe/Berlin)");
    assertThat(
            testTenant
                .operator()
                .send("PUT", path(testTenant, "weekly") + "?validate=true", weekly)
                .expectStatus(200)
                .json()
                .path("due")
                .asInt())
        .as("the preview is of a run, which hosts that are not heard take part in")
        .isEqualTo(2);
    assertThat(
            put(
                    testTenant,
                    "weekly",
                    weekly
                        .replace("22 *", "25 *")
                        .replace("{\"cron\"", "{\"each_window\":true,\"spread_over_seconds\":60,\"cron\""))
                .expectStatus(400)
                .errors())
        .containsExactlyInAnyOrder(
            "/cron: expected hour as *, a number from 0 to 23, a range, a step, or several of them with commas, found"
                + " \"25\"",
            "/each_window: cannot be together with cron; expected one of them",
            "/spread_over_seconds: expected 0 with cron: a run begins with all that is due");
    assertThat(put(testTenant, "weekly", weekly.replace("Europe/Berlin", "+01:00")).expectStatus(400).errors())
        .containsExactly("/cron_zone: expected an IANA time zone such as Europe/Berlin, found \"+01:00\"");
  }

  @Test
  void aPreviewSaysWhatItWouldBeginAndStoresNothing(TestTenant testTenant) {
    TestFleet.of(testTenant, 4);

    JsonNode preview =
        testTenant.operator().send("PUT", path(testTenant, "north") + "?validate=true", NORTH).expectStatus(200).json();

    assertThat(preview.path("version").asString()).isEqualTo("2.0");
    assertThat(preview.path("devices").asInt()).isEqualTo(2);
    // No host of this test is heard.
    assertThat(preview.path("counts").path("waiting").asInt()).isEqualTo(2);
    assertThat(preview.path("due").asInt()).isZero();
    testTenant.viewer().get(path(testTenant, "north")).expectStatus(404);
  }

  @Test
  void aStatusSaysWhyEachDeviceIsNotAsItAsks(TestTenant testTenant) {
    TestFleet fleet = TestFleet.of(testTenant, 6);
    fleet.reportVersion(0, "2.0");
    fleet.reportVersion(1, "7-custom");
    put(testTenant, "north", NORTH).expectStatus(201);
    put(testTenant, "missing", NORTH.replace("2.0", "3.0")).expectStatus(201);

    JsonNode status = status(testTenant, "north");
    assertThat(status.path("devices").asInt()).isEqualTo(3);
    assertThat(status.path("complete").asBoolean()).isFalse();
    assertThat(status.path("counts").path("satisfied").asInt()).isEqualTo(1);
    assertThat(status.path("not_satisfied").valueStream().map(PolicyControllerTest::deviceAndReason))
        .containsExactly("d1 unknown unknown-version", "d2 waiting offline");
    assertThat(status(testTenant, "missing").path("missing").asString()).isEqualTo("shopd 3.0 is not published");
    TestResponse devices = testTenant.viewer().get(path(testTenant, "north") + "/applies-to").expectStatus(200);
    assertThat(devices.texts("items", "device")).containsExactly("d0", "d1", "d2");
    assertThat(devices.texts("items", "state")).containsExactly("satisfied", "unknown", "waiting");
  }

  @Test
  void aDeviceShowsWhichPolicyDecides(TestTenant testTenant) {
    TestFleet.of(testTenant, 4);
    put(testTenant, "north", NORTH).expectStatus(201);
    put(testTenant, "back", NORTH.replace("2.0", "1.0").replace("{\"package\"", "{\"priority\":9,\"package\""))
        .expectStatus(201);
    for (String policy : new String[] {"north", "back"}) {
      testTenant.operator().send("POST", path(testTenant, policy) + "/enable", "").expectStatus(200);
    }

    TestResponse policies = testTenant.viewer().get(testTenant.path("devices/d0/policies")).expectStatus(200);

    assertThat(policies.texts("items", "policy")).containsExactly("back", "north");
    assertThat(policies.texts("items", "state")).containsExactly("satisfied", "conflict");
    assertThat(status(testTenant, "north").path("overruled_by").valueStream().map(JsonNode::asString))
        .containsExactly("back");
    assertThat(
            testTenant.viewer().get(testTenant.path("devices/d3/policies")).expectStatus(200).texts("items", "policy"))
        .isEmpty();
    testTenant.viewer().get(testTenant.path("devices/none/policies")).expectStatus(404);
  }

  private static String deviceAndReason(JsonNode device) {
    return "%s %s %s"
        .formatted(device.path("device").asString(), device.path("state").asString(), device.path("reason").asString());
  }

  private static JsonNode status(TestTenant testTenant, String policy) {
    return testTenant.viewer().get(path(testTenant, policy) + "/status").expectStatus(200).json();
  }

  private static String path(TestTenant testTenant, String policy) {
    return testTenant.path("policies/" + policy);
  }

  private static TestResponse put(TestTenant testTenant, String policy, String body) {
    return testTenant.operator().send("PUT", path(testTenant, policy), body);
  }
}
