package dev.uplift.api.windows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.server.Answer;
import dev.uplift.api.server.SharedServer;
import dev.uplift.api.server.Tenant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedServer.class)
final class LabelWindowsTest {
  private static final String SUNDAY =
      """
      {"windows":[{"days_of_week":["sun"],"start_time":"05:00","duration":"4h"}]}\
      """;
  private static final String MONDAY = SUNDAY.replace("sun", "mon");

  @Test
  void windowsOfALabelAreAsTheyWerePut(Tenant tenant) {
    Answer put = put(tenant, "ring/1", SUNDAY).is(201);

    assertThat(put.header("ETag")).contains("\"1\"");
    assertThat(put.json().path("label").asString()).isEqualTo("ring");
    assertThat(put.json().path("value").asString()).isEqualTo("1");
    assertThat(put.json().path("changed_by").asString()).isEqualTo("admin");
    assertThat(tenant.viewer().get(tenant.path("label-windows/ring/1")).is(200).text())
        .isEqualTo(put.text());
    assertThat(put(tenant, "ring/1", SUNDAY).is(200).text()).isEqualTo(put.text());
    assertThat(put(tenant, "ring/1", MONDAY).is(200).header("ETag")).contains("\"2\"");
    put(tenant, "site/x%20y", SUNDAY).is(201);
    put(tenant, "topology%2Fzone/a%2Fb", SUNDAY).is(201);
    Answer list = tenant.viewer().get(tenant.path("label-windows")).is(200);
    assertThat(list.texts("items", "label")).containsExactly("ring", "site", "topology/zone");
    assertThat(list.texts("items", "value")).containsExactly("1", "x y", "a/b");
  }

  @Test
  void whatIsTakenAwayIsGoneAndWhoDidItIsKept(Tenant tenant) {
    put(tenant, "ring/1", SUNDAY).is(201);

    tenant.admin().delete(tenant.path("label-windows/ring/1?validate=true")).is(204);
    tenant.viewer().get(tenant.path("label-windows/ring/1")).is(200);
    tenant.admin().delete(tenant.path("label-windows/ring/1")).is(204);
    tenant.viewer().get(tenant.path("label-windows/ring/1")).is(404);
    tenant.admin().delete(tenant.path("label-windows/ring/1")).is(404);

    assertThat(
            tenant
                .viewer()
                .get(tenant.path("audit?target=label/ring=1"))
                .is(200)
                .texts("items", "action"))
        .containsExactly("label-windows.delete", "label-windows.put");
  }

  @Test
  void aChangeMayRelyOnWhatItSaw(Tenant tenant) {
    put(tenant, "ring/1", SUNDAY).is(201);
    String path = tenant.path("label-windows/ring/1");

    tenant.admin().with("If-None-Match", "*").send("PUT", path, MONDAY).is(412);
    tenant.admin().with("If-Match", "\"7\"").send("PUT", path, MONDAY).is(412);
    tenant.admin().with("If-Match", "\"7\"").delete(path).is(412);
    tenant.admin().with("If-Match", "\"1\"").send("PUT", path, MONDAY).is(200);
    tenant.admin().with("If-Match", "\"2\"").delete(path).is(204);
  }

  @Test
  void whatNoDeviceCanHaveIsRefused(Tenant tenant) {
    assertThat(put(tenant, "a%20b/1", SUNDAY).is(400).faults())
        .containsExactly("label: label 'a b' is not ^[A-Za-z0-9][A-Za-z0-9._/-]{0,62}$");
    assertThat(put(tenant, "ring/1,2", SUNDAY).is(400).faults())
        .containsExactly("value: expected a text without a comma");
    assertThat(put(tenant, "ring/1", "{\"windows\":[]}").is(400).faults())
        .containsExactly("/windows: expected 1 to 20 items, found 0");
  }

  private static Answer put(Tenant tenant, String label, String body) {
    return tenant.admin().send("PUT", tenant.path("label-windows/" + label), body);
  }
}
