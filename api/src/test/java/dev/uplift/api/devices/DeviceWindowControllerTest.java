package dev.uplift.api.devices;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.TestResponse;
import dev.uplift.api.testing.TestTenant;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/// Maintenance windows of a device, as configured and as shown.
@ExtendWith(SharedServerExtension.class)
final class DeviceWindowControllerTest {
  private static final String NIGHTS =
      """
      [{"days_of_week":["monday","tue"],"start_time":"02:00","duration":"PT4H",
        "blackout_dates":["2026-12-24/2027-01-06"]}]\
      """;

  @Test
  void windowsAreStoredAsConfigured(TestTenant testTenant) {
    TestResponse put = put(testTenant, NIGHTS).expectStatus(201);

    assertThat(put.json().path("windows").toString())
        .isEqualTo(
            """
            [{"days_of_week":["monday","tuesday"],"start_time":"02:00","timezone":"site-local",\
            "duration":"4h","blackout_dates":["2026-12-24/2027-01-06"]}]\
            """);
    assertThat(testTenant.viewer().get(testTenant.path("devices/gate")).expectStatus(200).text()).isEqualTo(put.text());
    assertThat(put(testTenant, put.json().path("windows").toString()).expectStatus(200).text())
        .as("the response can be put again")
        .isEqualTo(put.text());
  }

  @Test
  void daysMayBeOneTextWithCommas(TestTenant testTenant) {
    String window =
        """
        [{"days_of_week":"%s","start_time":"02:00","duration":"4h"}]\
        """;

    assertThat(
            put(testTenant, window.formatted("Friday, Saturday"))
                .expectStatus(201)
                .json()
                .at("/windows/0/days_of_week"))
        .hasToString("[\"friday\",\"saturday\"]");
    assertThat(put(testTenant, window.formatted("fri,,moonday")).expectStatus(400).errors())
        .containsExactly(
            "/windows/0/days_of_week/1: expected a day of the week such as monday or mon, found \"\"",
            "/windows/0/days_of_week/2: expected a day of the week such as monday or mon, found \"moonday\"");
  }

  @Test
  void aPatchReplacesOrRemovesAllWindows(TestTenant testTenant) {
    put(testTenant, NIGHTS).expectStatus(201);

    assertThat(patch(testTenant, "{\"labels\":{\"ring\":\"1\"}}").json().path("windows").size()).isEqualTo(1);
    assertThat(patch(testTenant, "{\"windows\":null}").json().path("windows").toString()).isEqualTo("[]");
    assertThat(patch(testTenant, "{\"windows\":" + NIGHTS + "}").json().path("windows").size()).isEqualTo(1);
  }

  @Test
  void faultsOfAWindowAreReportedWithTheirPointers(TestTenant testTenant) {
    TestResponse testResponse =
        put(
                testTenant,
                """
                [{"days_of_week":["moonday"],"start_time":"24:00","timezone":"Berlin",
                  "duration":"8d","blackout_dates":["2027-02-30"]},
                 {"days_of_week":[],"zone":"UTC"}, 7]\
                """)
            .expectStatus(400);

    assertThat(testResponse.errors())
        .containsExactly(
            "/windows/0/days_of_week/0: expected a day of the week such as monday or mon," + " found \"moonday\"",
            "/windows/0/start_time: expected a time of day from 00:00 to 23:59 such as 02:30," + " found \"24:00\"",
            "/windows/0/timezone: expected site-local or an IANA time zone such as Europe/Berlin"
                + " (perhaps Europe/Berlin?), found \"Berlin\"",
            "/windows/0/duration: expected a duration of whole minutes from 1m to 7d such as 4h," + " found PT192H",
            "/windows/0/blackout_dates/0: expected a date such as 2026-12-24 or a range of them"
                + " such as 2026-12-24/2027-01-06, found \"2027-02-30\"",
            "/windows/1/days_of_week: expected 1 to 7 items, found 0",
            "/windows/1/start_time: is missing: start_time is required",
            "/windows/1/duration: is missing: duration is required",
            "/windows/1/zone: unknown field; expected one of days_of_week, start_time, timezone,"
                + " duration, blackout_dates",
            "/windows/2: expected an object, found 7");
    testTenant.viewer().get(testTenant.path("devices/gate")).expectStatus(404);
  }

  @Test
  void theNextOpeningsAreShownInLocalTimeAndUtc(TestTenant testTenant) {
    put(
            testTenant,
            """
            [{"days_of_week":["mon","tue","wed","thu","fri","sat","sun"],"start_time":"02:00",
              "timezone":"Asia/Kathmandu","duration":"1h"}]\
            """)
        .expectStatus(201);

    JsonNode view = openings(testTenant, "?count=4");

    assertThat(view.path("zone").asString()).isEqualTo("Europe/Berlin");
    assertThat(view.path("next_openings").size()).isEqualTo(4);
    Instant before = Instant.EPOCH;
    for (JsonNode opening : view.path("next_openings")) {
      Instant opens = Instant.parse(opening.path("opens_at").asString());
      assertThat(opens).isAfter(before);
      assertThat(opens.atOffset(ZoneOffset.UTC).toLocalTime()).hasToString("20:15");
      OffsetDateTime local = OffsetDateTime.parse(opening.path("local_opens_at").asString());
      assertThat(local.toInstant()).isEqualTo(opens);
      assertThat(local.getHour()).as("in the zone of the site").isIn(21, 22);
      assertThat(Instant.parse(opening.path("closes_at").asString())).isEqualTo(opens.plusSeconds(3600));
      assertThat(opening.path("message").asString()).contains("Europe/Berlin", opens.toString());
      before = opens;
    }
    assertThat(openings(testTenant, "").path("next_openings").size()).isEqualTo(3);
  }

  @Test
  void aDeviceWithoutWindowsIsAlwaysOpen(TestTenant testTenant) {
    testTenant.putDevice("gate", "left");

    JsonNode view = openings(testTenant, "");

    assertThat(view.path("open").asBoolean()).isTrue();
    assertThat(view.path("message").asString()).isEqualTo("open: always open");
    assertThat(view.path("window_sources").size()).isZero();
  }

  @Test
  void theWindowsOfItsLabelsRestrictThoseOfTheDevice(TestTenant testTenant) {
    put(testTenant, window("mon", "02:00", "4h")).expectStatus(201);
    String label = testTenant.path("label-windows/ring/1");
    testTenant.admin().send("PUT", label, "{\"windows\":" + window("mon", "05:00", "4h") + "}").expectStatus(201);
    testTenant
        .admin()
        .send("PUT", testTenant.path("label-windows/ring/2"), "{\"windows\":" + window("sun", "05:00", "4h") + "}")
        .expectStatus(201);

    JsonNode view = openings(testTenant, "?count=1");

    assertThat(view.path("window_sources").valueStream().map(level -> level.path("source").asString()))
        .containsExactly("device", "label ring=1");
    JsonNode opening = view.path("next_openings").get(0);
    assertThat(opening.path("opens_at").asString()).endsWith("T05:00:00Z");
    assertThat(opening.path("closes_at").asString()).endsWith("T06:00:00Z");
  }

  @Test
  void invalidParametersAreRejected(TestTenant testTenant) {
    testTenant.putDevice("gate", "left");

    assertThat(testTenant.viewer().get(testTenant.path("devices/gate/windows?count=0")).expectStatus(400).errors())
        .containsExactly("count: expected 1 to 50");
    testTenant.viewer().get(testTenant.path("devices/none/windows")).expectStatus(404);
  }

  private static String window(String day, String start, String duration) {
    return """
    [{"days_of_week":["%s"],"start_time":"%s","timezone":"UTC","duration":"%s"}]\
    """
        .formatted(day, start, duration);
  }

  private static JsonNode openings(TestTenant testTenant, String query) {
    return testTenant.viewer().get(testTenant.path("devices/gate/windows" + query)).expectStatus(200).json();
  }

  private static TestResponse put(TestTenant testTenant, String windows) {
    String body =
        """
        {"hosts":["left"],"labels":{"ring":"1"},"zone":"Europe/Berlin","windows":%s}\
        """
            .formatted(windows);
    return testTenant.admin().send("PUT", testTenant.path("devices/gate"), body);
  }

  private static TestResponse patch(TestTenant testTenant, String body) {
    return testTenant.admin().send("PATCH", testTenant.path("devices/gate"), body).expectStatus(200);
  }
}
