package dev.uplift.api.devices;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.server.Answer;
import dev.uplift.api.server.SharedServer;
import dev.uplift.api.server.Tenant;
import dev.uplift.fleet.HostId;
import dev.uplift.store.HostInfo;
import dev.uplift.store.Hosts;
import java.net.URLEncoder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// `filter` on lists: the language of selections.
@ExtendWith(SharedServer.class)
final class FilterTest {
  @Test
  void listsTheDevicesOfWhichTheExpressionIsTrue(Tenant tenant) {
    fleet(tenant);

    assertThat(devices(tenant, "labels.region == 'north'")).containsExactly("d0", "d2", "d4");
    assertThat(devices(tenant, "hosts > 1 || device == 'd1'")).containsExactly("d1", "d4");
    assertThat(devices(tenant, "zone.startsWith('Europe/')")).containsExactly("d3");
    assertThat(devices(tenant, "versions.shopd == '1.0'")).containsExactly("d0", "d1");
    assertThat(devices(tenant, "!('ring' in labels)")).hasSize(5);
    assertThat(devices(tenant, "labels.ring == '1'")).as("nobody has that label").isEmpty();
    assertThat(texts(tenant, "devices?labels=region=north&limit=2&filter=" + q("hosts == 2"), "d"))
        .containsExactly("d4");
  }

  @Test
  void listsHostsByThemselvesAndTheirDevice(Tenant tenant) {
    fleet(tenant);

    assertThat(texts(tenant, "hosts?filter=" + q("labels.region == 'north'"), "h"))
        .containsExactly("h0", "h2", "h4", "h4b");
    assertThat(texts(tenant, "hosts?filter=" + q("versions.shopd == '1.0'"), "h"))
        .containsExactly("h0", "h1", "loose");
    assertThat(texts(tenant, "hosts?device=d4&filter=" + q("device == 'd4'"), "h"))
        .containsExactly("h4", "h4b");
    assertThat(texts(tenant, "hosts?filter=" + q("device == ''"), "h")).containsExactly("loose");
  }

  @Test
  void listsTheDevicesOfARollout(Tenant tenant) {
    devices(tenant);
    tenant
        .admin()
        .send("POST", tenant.path("releases"), tenant.server().home().release("shopd", "2.0", 20))
        .is(201);
    tenant
        .operator()
        .with("Idempotency-Key", "all")
        .send(
            "POST",
            tenant.path("rollouts"),
            "{\"package\":\"shopd\",\"version\":\"2.0\",\"selection\":\"true\",\"everything\":true}")
        .is(201);
    tenant.admin().delete(tenant.path("devices/d2")).is(204);

    assertThat(texts(tenant, "rollouts/all/devices?filter=" + q("labels.region == 'north'"), "d"))
        .as("one that is gone has no labels")
        .containsExactly("d0", "d4");
    assertThat(texts(tenant, "rollouts/all/devices?wave=9&filter=" + q("true"), "d")).isEmpty();
  }

  @Test
  void aMistakeIsAnsweredWithLineAndColumn(Tenant tenant) {
    for (String list : List.of("devices", "hosts")) {
      assertThat(
              get(tenant, list + "?filter=" + q("labels.region ==\n 'north' &&"))
                  .faults()
                  .getFirst())
          .startsWith("filter: line 2, column ");
      assertThat(get(tenant, list + "?filter=" + q("lables.x == 'y'")).is(400).faults().getFirst())
          .startsWith("filter: line 1, column 1: undeclared reference to 'lables'");
      assertThat(get(tenant, list + "?filter=" + q("device")).is(400).faults().getFirst())
          .startsWith("filter: line 1, column 1: ")
          .contains("bool");
      assertThat(get(tenant, list + "?filter=").is(400).faults())
          .containsExactly("filter: expected an expression, such as labels.region == 'north'");
    }
  }

  @Test
  void goesOnFromPageToPageWithoutLossOrRepeat(Tenant tenant) {
    IntStream.range(0, 40)
        .forEach(
            i -> put(tenant, "d%02d".formatted(i), i % 3 == 0 ? "north" : "south", "UTC", "h" + i));
    List<String> seen = new ArrayList<>();
    String next = "";
    do {
      String path = "devices?limit=4&filter=" + q("labels.region == 'north'") + next;
      Answer page = get(tenant, path).is(200);
      assertThat(page.texts("items", "device").size()).isLessThanOrEqualTo(4);
      seen.addAll(page.texts("items", "device"));
      next = page.json().path("next").asStringOpt().map(cursor -> "&cursor=" + cursor).orElse("");
    } while (!next.isEmpty());

    assertThat(seen)
        .containsExactlyElementsOf(
            IntStream.range(0, 14).mapToObj(i -> "d%02d".formatted(3 * i)).toList());
  }

  /// Five devices, of which d0 and d1 are known to run shopd 1.0; and a host on no device.
  private static void fleet(Tenant tenant) {
    devices(tenant);
    for (String host : List.of("h0", "h1", "loose")) {
      runs(tenant, host);
    }
  }

  private static void devices(Tenant tenant) {
    put(tenant, "d0", "north", "UTC", "h0");
    put(tenant, "d1", "south", "UTC", "h1");
    put(tenant, "d2", "north", "UTC", "h2");
    put(tenant, "d3", "south", "Europe/Berlin", "h3");
    put(tenant, "d4", "north", "UTC", "h4\",\"h4b");
  }

  private static void put(Tenant tenant, String name, String region, String zone, String hosts) {
    tenant
        .admin()
        .send(
            "PUT",
            tenant.path("devices/" + name),
            "{\"hosts\":[\"%s\"],\"labels\":{\"region\":\"%s\"},\"zone\":\"%s\"}"
                .formatted(hosts, region, zone))
        .is(201);
  }

  private static void runs(Tenant tenant, String host) {
    var info =
        new HostInfo(
            "{}",
            "0.1.0",
            "x86_64",
            List.of(),
            "boot-1",
            "i-1",
            "running",
            Map.of("shopd", "1.0"),
            Instant.now());
    assertThat(tenant.server().bean(Hosts.class).said(tenant.name(), new HostId(host), info))
        .isTrue();
  }

  private static List<String> devices(Tenant tenant, String filter) {
    return texts(tenant, "devices?filter=" + q(filter), "d");
  }

  private static List<String> texts(Tenant tenant, String path, String what) {
    return get(tenant, path).is(200).texts("items", what.equals("d") ? "device" : "host");
  }

  private static Answer get(Tenant tenant, String path) {
    return tenant.viewer().get(tenant.path(path));
  }

  private static String q(String text) {
    return URLEncoder.encode(text, UTF_8);
  }
}
