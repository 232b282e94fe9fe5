package dev.uplift.api.rollouts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.TestResponse;
import dev.uplift.api.testing.TestTenant;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Invalid plans: each is rejected with the field and the expected value, with and without `?validate=true`, and
/// nothing is stored.
@ExtendWith(SharedServerExtension.class)
final class RolloutValidationTest {
  /// @param plan without `package`; missing fields have valid defaults
  /// @param fault `pointer: fault and expected value`, or its beginning
  private record Case(String plan, int status, String fault) {}

  private static final List<Case> CASES =
      List.of(
          new Case(
              "\"waves_\":[]",
              400,
              "/waves_: unknown field; expected one of draft, package, version, title, selection,"),
          new Case(
              "\"thresholds\":{\"failurs\":1}",
              400,
              "/thresholds/failurs: unknown field; expected one of success_percent, min_successes,"),
          new Case("\"waves\":[{\"count\":1,\"soak\":3}]", 400, "/waves/0/soak: unknown field; expected one of"),
          new Case("\"waves\":[{\"percent\":101}]", 400, "/waves/0/percent: expected 1 to 100, found 101"),
          new Case(
              "\"waves\":[{\"percent\":60},{\"percent\":50}]",
              400,
              "/waves/1/percent: makes 110 % with the waves before it; expected at most 100" + " together"),
          new Case("\"waves\":[{\"count\":1},{\"percent\":50}]", 422, "/waves: leave over 1 of 4 devices, d"),
          new Case(
              "\"waves\":[{\"expression\":\"labels.region == 'east'\"},{\"rest\":true}]", 422, "/waves/0/expression: "),
          new Case(
              "\"waves\":[{\"each_value_of\":\"shop\"},{\"rest\":true}]",
              422,
              "/waves/0/each_value_of: no device that is in no wave yet has the label shop;"
                  + " expected at least one"),
          new Case("\"waves\":[{\"count\":9},{\"rest\":true}]", 422, "/waves/"),
          new Case(
              "\"waves\":[{\"expression\":\"labels.region = 'x'\"},{\"rest\":true}]",
              422,
              "/waves/0/expression: line 1, column "),
          new Case("\"thresholds\":{\"failures\":-1}", 400, "/thresholds/failures: expected at least 1, found -1"),
          new Case(
              "\"thresholds\":{\"failure_percent\":-5}",
              400,
              "/thresholds/failure_percent: expected 1 to 100, found -5"),
          new Case(
              "\"thresholds\":{\"success_percent\":120}",
              400,
              "/thresholds/success_percent: expected 0 to 100, found 120"),
          new Case(
              "\"thresholds\":{\"by_outcome\":{\"stranded\":-1}}",
              400,
              "/thresholds/by_outcome/stranded: expected at least 1, found -1"),
          new Case("\"limits\":{\"per_minute\":-1}", 400, "/limits/per_minute: expected 1 to 60000, found -1"),
          new Case("\"selection\":\"\"", 400, "/selection: is empty; expected one such as labels.region == 'north'"),
          new Case(
              "\"selection\":\"labels.region == 'east'\"",
              422,
              "/selection: takes none of the 4 devices; expected one that is true of at least one"),
          new Case(
              "\"selection\":\"labels.shop == '7'\"",
              422,
              "/selection: takes none of the 4 devices; expected one that is true of at least one;"
                  + " 4 devices have no label shop and are not selected"),
          new Case(
              "\"selection\":\"labels.region ==\\n 'x' && lables.y == 'z'\"",
              422,
              "/selection: line 2, column 9: undeclared reference to 'lables'"),
          new Case("\"selection\":\"device\"", 422, "/selection: line 1, column 1: "),
          new Case(
              "\"everything\":false,\"selection\":\"true\"",
              422,
              "/everything: the selection takes all 4 devices; expected true to confirm that"),
          new Case("\"version\":\"9.9\"", 422, "/version: there is no release shopd 9.9 in tenant-"),
          new Case(
              "\"version\":\"3.0\"",
              422,
              "/version: shopd 3.0 can be installed on none of the 4 devices that are selected, d0"
                  + " for one: shopd 3.0 must not lie over 1.0 on h0, only over 2.0, 2.1"),
          new Case(
              "\"version\":\"0.9\"",
              422,
              "/version: shopd 0.9 can be installed on none of the 4 devices that are selected, d0"
                  + " for one: 1.0 on h0 is newer than shopd 0.9"),
          new Case(
              "\"not_after\":\"2020-01-01T00:00:00Z\"",
              400,
              "/not_after: 2020-01-01T00:00:00Z is past; expected a time in the future"),
          new Case(
              "\"window\":{\"mode\":\"ignore\"}",
              400,
              "/window/reason: is empty; expected why the windows of the devices are ignored"));

  @Test
  void isRejectedWithItsPointerAndNothingIsStored(TestTenant testTenant) {
    TestFleet testFleet = TestFleet.of(testTenant, 4);
    var serverHome = testTenant.server().home();
    testFleet.publish(serverHome.release("shopd", "3.0", 30, "\"installs_over\":[\"2.1\",\"2.0\"],"));
    testFleet.publish(serverHome.release("shopd", "0.9", 9));
    SoftAssertions.assertSoftly(softly -> {
      for (Case one : CASES) {
        assertRejected(softly, one, testFleet.validate(plan(one.plan())));
        assertRejected(softly, one, testFleet.create(plan(one.plan())));
      }
    });

    assertThat(testTenant.viewer().get(testTenant.path("rollouts")).texts("items", "id")).isEmpty();
    assertThat(testTenant.viewer().get(testTenant.path("audit")).texts("items", "action"))
        .noneMatch(action -> action.startsWith("rollout"));
    testFleet.create(plan("\"version\":\"0.9\",\"allow_downgrade\":true")).expectStatus(201);
  }

  private static void assertRejected(SoftAssertions softly, Case one, TestResponse testResponse) {
    softly.assertThat(testResponse.status()).as(one.plan() + testResponse.text()).isEqualTo(one.status());
    softly.assertThat(testResponse.errors()).as(one.plan()).singleElement(STRING).startsWith(one.fault());
  }

  /// Returns a plan that is valid except for these fields.
  private static String plan(String wrong) {
    StringBuilder plan = new StringBuilder("{\"package\":\"shopd\",").append(wrong);
    good(plan, wrong, "\"version\"", "\"2.0\"");
    good(plan, wrong, "\"selection\"", "\"device.startsWith('d')\"");
    good(plan, wrong, "\"everything\"", "true");
    return plan.append('}').toString();
  }

  private static void good(StringBuilder plan, String wrong, String field, String value) {
    if (!wrong.contains(field)) {
      plan.append(',').append(field).append(':').append(value);
    }
  }
}
