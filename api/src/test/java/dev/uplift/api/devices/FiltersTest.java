package dev.uplift.api.devices;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.TestResponse;
import dev.uplift.api.testing.TestTenant;
import dev.uplift.fleet.HostId;
import dev.uplift.store.device.HostInfo;
import dev.uplift.store.device.HostRepository;
import dev.uplift.store.device.RecordedInfo;
import java.net.URLEncoder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// `filter` on lists: the language of selections.
@ExtendWith(SharedServerExtension.class)
final class FiltersTest {
  @Test
  void listsTheDevicesOfWhichTheExpressionIsTrue(TestTenant testTenant) {
    fleet(testTenant);

    assertThat(devices(testTenant, "labels.region == 'north'")).containsExactly("d0", "d2", "d4");
    assertThat(devices(testTenant, "hosts > 1 || device == 'd1'")).containsExactly("d1", "d4");
    assertThat(devices(testTenant, "zone.startsWith('Europe/')")).containsExactly("d3");
    assertThat(devices(testTenant, "versions.shopd == '1.0'")).containsExactly("d0", "d1");
    assertThat(devices(testTenant, "!('ring' in labels)")).hasSize(5);
    assertThat(devices(testTenant, "labels.ring == '1'")).as("no device has that label").isEmpty();
    assertThat(texts(testTenant, "devices?labels=region=north&limit=2&filter=" + q("hosts == 2"), "d"))
        .containsExactly("d4");
  }

  @Test
  void listsHostsByTheirOwnFieldsAndTheirDevice(TestTenant testTenant) {
    fleet(testTenant);

    assertThat(texts(testTenant, "hosts?filter=" + q("labels.region == 'north'"), "h"))
        .containsExactly("h0", "h2", "h4", "h4b");
    assertThat(texts(testTenant, "hosts?filter=" + q("versions.shopd == '1.0'"), "h"))
        .containsExactly("h0", "h1", "loose");
    assertThat(texts(testTenant, "hosts?device=d4&filter=" + q("device == 'd4'"), "h")).containsExactly("h4", "h4b");
    assertThat(texts(testTenant, "hosts?filter=" + q("device == ''"), "h")).containsExactly("loose");
  }

  @Test
  void listsTheDevicesOfARollout(TestTenant testTenant) {
    devices(testTenant);
    testTenant
        .admin()
        .send("POST", testTenant.path("releases"), testTenant.server().home().release("shopd", "2.0", 20))
        .expectStatus(201);
    testTenant
        .operator()
        .withHeader("Idempotency-Key", "all")
        .send(
            "POST",
            testTenant.path("rollouts"),
            "{\"package\":\"shopd\",\"version\":\"2.0\",\"selection\":\"true\",\"everything\":true}")
        .expectStatus(201);
    testTenant.admin().delete(testTenant.path("devices/d2")).expectStatus(204);

    assertThat(texts(testTenant, "rollouts/all/devices?filter=" + q("labels.region == 'north'"), "d"))
        .as("a deleted device has no labels")
        .containsExactly("d0", "d4");
    assertThat(texts(testTenant, "rollouts/all/devices?wave=9&filter=" + q("true"), "d")).isEmpty();
  }

  @Test
  void anErrorIsReportedWithLineAndColumn(TestTenant testTenant) {
    for (String list : List.of("devices", "hosts")) {
      assertThat(get(testTenant, list + "?filter=" + q("labels.region ==\n 'north' &&")).errors().getFirst())
          .startsWith("filter: line 2, column ");
      assertThat(get(testTenant, list + "?filter=" + q("lables.x == 'y'")).expectStatus(400).errors().getFirst())
          .startsWith("filter: line 1, column 1: undeclared reference to 'lables'");
      assertThat(get(testTenant, list + "?filter=" + q("device")).expectStatus(400).errors().getFirst())
          .startsWith("filter: line 1, column 1: ")
          .contains("bool");
      assertThat(get(testTenant, list + "?filter=").expectStatus(400).errors())
          .containsExactly("filter: expected an expression, such as labels.region == 'north'");
    }
  }

  @Test
  void pagesHaveEachDeviceExactlyOnce(TestTenant testTenant) {
    IntStream.range(0, 40)
        .forEach(i -> put(testTenant, "d%02d".formatted(i), i % 3 == 0 ? "north" : "south", "UTC", "h" + i));
    List<String> seen = new ArrayList<>();
    String next = "";
    do {
      String path = "devices?limit=4&filter=" + q("labels.region == 'north'") + next;
      TestResponse page = get(testTenant, path).expectStatus(200);
      assertThat(page.texts("items", "device").size()).isLessThanOrEqualTo(4);
      seen.addAll(page.texts("items", "device"));
      next = page.json().path("next_cursor").asStringOpt().map(cursor -> "&cursor=" + cursor).orElse("");
    } while (!next.isEmpty());

    assertThat(seen).containsExactlyElementsOf(IntStream.range(0, 14).mapToObj(i -> "d%02d".formatted(3 * i)).toList());
  }

  /// Five devices, of which d0 and d1 are known to run shopd 1.0; and a host on no device.
  private static void fleet(TestTenant testTenant) {
    devices(testTenant);
    for (String host : List.of("h0", "h1", "loose")) {
      runs(testTenant, host);
    }
  }

  private static void devices(TestTenant testTenant) {
    put(testTenant, "d0", "north", "UTC", "h0");
    put(testTenant, "d1", "south", "UTC", "h1");
    put(testTenant, "d2", "north", "UTC", "h2");
    put(testTenant, "d3", "south", "Europe/Berlin", "h3");
    put(testTenant, "d4", "north", "UTC", "h4\",\"h4b");
  }

  private static void put(TestTenant testTenant, String name, String region, String zone, String hosts) {
    testTenant
        .admin()
        .send(
            "PUT",
            testTenant.path("devices/" + name),
            "{\"hosts\":[\"%s\"],\"labels\":{\"region\":\"%s\"},\"zone\":\"%s\"}".formatted(hosts, region, zone))
        .expectStatus(201);
  }

  private static void runs(TestTenant testTenant, String host) {
    var info =
        new HostInfo(
            "{}", "0.1.0", "x86_64", List.of(), "boot-1", "i-1", "running", Map.of("shopd", "1.0"), Instant.now());
    assertThat(
            testTenant
                .server()
                .bean(HostRepository.class)
                .recordInfo(testTenant.name(), new HostId(host), info, List.of(), List.of()))
        .isEqualTo(RecordedInfo.RECORDED);
  }

  private static List<String> devices(TestTenant testTenant, String filter) {
    return texts(testTenant, "devices?filter=" + q(filter), "d");
  }

  private static List<String> texts(TestTenant testTenant, String path, String what) {
    return get(testTenant, path).expectStatus(200).texts("items", what.equals("d") ? "device" : "host");
  }

  private static TestResponse get(TestTenant testTenant, String path) {
    return testTenant.viewer().get(testTenant.path(path));
  }

  private static String q(String text) {
    return URLEncoder.encode(text, UTF_8);
  }
}
