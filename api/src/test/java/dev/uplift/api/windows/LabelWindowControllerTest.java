package dev.uplift.api.windows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.TestResponse;
import dev.uplift.api.testing.TestTenant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedServerExtension.class)
final class LabelWindowControllerTest {
  private static final String SUNDAY =
      """
      {"windows":[{"days_of_week":["sun"],"start_time":"05:00","duration":"4h"}]}\
      """;
  private static final String MONDAY = SUNDAY.replace("sun", "mon");

  @Test
  void windowsOfALabelAreShownAsTheyWerePut(TestTenant testTenant) {
    TestResponse put = put(testTenant, "ring/1", SUNDAY).expectStatus(201);

    assertThat(put.header("ETag")).contains("\"1\"");
    assertThat(put.json().path("label").asString()).isEqualTo("ring");
    assertThat(put.json().path("value").asString()).isEqualTo("1");
    assertThat(put.json().path("changed_by").asString()).isEqualTo("admin");
    assertThat(testTenant.viewer().get(testTenant.path("label-windows/ring/1")).expectStatus(200).text())
        .isEqualTo(put.text());
    assertThat(put(testTenant, "ring/1", SUNDAY).expectStatus(200).text()).isEqualTo(put.text());
    assertThat(put(testTenant, "ring/1", MONDAY).expectStatus(200).header("ETag")).contains("\"2\"");
    put(testTenant, "site/x%20y", SUNDAY).expectStatus(201);
    put(testTenant, "topology%2Fzone/a%2Fb", SUNDAY).expectStatus(201);
    TestResponse list = testTenant.viewer().get(testTenant.path("label-windows")).expectStatus(200);
    assertThat(list.texts("items", "label")).containsExactly("ring", "site", "topology/zone");
    assertThat(list.texts("items", "value")).containsExactly("1", "x y", "a/b");
  }

  @Test
  void removedWindowsAreGoneAndTheRemovalIsAudited(TestTenant testTenant) {
    put(testTenant, "ring/1", SUNDAY).expectStatus(201);

    testTenant.admin().delete(testTenant.path("label-windows/ring/1?validate=true")).expectStatus(204);
    testTenant.viewer().get(testTenant.path("label-windows/ring/1")).expectStatus(200);
    testTenant.admin().delete(testTenant.path("label-windows/ring/1")).expectStatus(204);
    testTenant.viewer().get(testTenant.path("label-windows/ring/1")).expectStatus(404);
    testTenant.admin().delete(testTenant.path("label-windows/ring/1")).expectStatus(404);

    assertThat(
            testTenant
                .viewer()
                .get(testTenant.path("audit?target=label/ring=1"))
                .expectStatus(200)
                .texts("items", "action"))
        .containsExactly("label-windows.delete", "label-windows.put");
  }

  @Test
  void aChangeSupportsIfMatch(TestTenant testTenant) {
    put(testTenant, "ring/1", SUNDAY).expectStatus(201);
    String path = testTenant.path("label-windows/ring/1");

    testTenant.admin().withHeader("If-None-Match", "*").send("PUT", path, MONDAY).expectStatus(412);
    testTenant.admin().withHeader("If-Match", "\"7\"").send("PUT", path, MONDAY).expectStatus(412);
    testTenant.admin().withHeader("If-Match", "\"7\"").delete(path).expectStatus(412);
    testTenant.admin().withHeader("If-Match", "\"1\"").send("PUT", path, MONDAY).expectStatus(200);
    testTenant.admin().withHeader("If-Match", "\"2\"").delete(path).expectStatus(204);
  }

  @Test
  void impossibleLabelsAreRejected(TestTenant testTenant) {
    assertThat(put(testTenant, "a%20b/1", SUNDAY).expectStatus(400).errors())
        .containsExactly("label: label 'a b' is not ^[A-Za-z0-9][A-Za-z0-9._/-]{0,62}$");
    assertThat(put(testTenant, "ring/1,2", SUNDAY).expectStatus(400).errors())
        .containsExactly("value: expected a text without a comma");
    assertThat(put(testTenant, "ring/1", "{\"windows\":[]}").expectStatus(400).errors())
        .containsExactly("/windows: expected 1 to 20 items, found 0");
  }

  private static TestResponse put(TestTenant testTenant, String label, String body) {
    return testTenant.admin().send("PUT", testTenant.path("label-windows/" + label), body);
  }
}
