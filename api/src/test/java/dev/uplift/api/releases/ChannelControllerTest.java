package dev.uplift.api.releases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.TestResponse;
import dev.uplift.api.testing.TestTenant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedServerExtension.class)
final class ChannelControllerTest {
  private static final String TO_2 = "{\"version\":\"2.0\"}";

  @Test
  void aChannelPointsAtTheReleaseThatItWasMovedTo(TestTenant testTenant) {
    publish(testTenant);
    String path = testTenant.path("packages/shopd/channels/stable");

    TestResponse moved = testTenant.admin().send("PUT", path, TO_2).expectStatus(201);
    assertThat(moved.header("ETag")).contains("\"1\"");
    assertThat(testTenant.viewer().get(path).expectStatus(200).text()).isEqualTo(moved.text());
    assertThat(testTenant.admin().send("PUT", path, TO_2).expectStatus(200).text()).isEqualTo(moved.text());
    testTenant.admin().withHeader("If-Match", "\"7\"").send("PUT", path, TO_2).expectStatus(412);
    TestResponse again =
        testTenant.admin().withHeader("If-Match", "\"1\"").send("PUT", path, "{\"version\":\"3.0\"}").expectStatus(200);

    assertThat(again.json().path("version").asString()).isEqualTo("3.0");
    assertThat(again.json().path("moved_by").asString()).isEqualTo("admin");
    assertThat(
            testTenant
                .viewer()
                .get(testTenant.path("packages/shopd/channels"))
                .expectStatus(200)
                .texts("items", "channel"))
        .containsExactly("stable");
    testTenant.admin().delete(path).expectStatus(204);
    testTenant.admin().delete(path).expectStatus(404);
    testTenant.viewer().get(path).expectStatus(404);
    assertThat(testTenant.viewer().get(testTenant.path("audit?target=channel/shopd/stable")).texts("items", "detail"))
        .containsExactly("at 3.0", "to 3.0 from 2.0", "to 2.0");
  }

  @Test
  void onlyAnAdminMovesItAndOnlyToAPublishedRelease(TestTenant testTenant) {
    publish(testTenant);
    String path = testTenant.path("packages/shopd/channels/stable");

    testTenant.operator().send("PUT", path, TO_2).expectStatus(403);
    assertThat(testTenant.admin().send("PUT", path, "{\"version\":\"9.0\"}").expectStatus(422).errors())
        .containsExactly(
            "/version: there is no release shopd 9.0 in %s; publish it first".formatted(testTenant.name()));
    testTenant.admin().send("PUT", testTenant.path("packages/shopd/channels/Not%20good"), TO_2).expectStatus(400);
  }

  private static void publish(TestTenant testTenant) {
    for (String version : List.of("2.0", "3.0")) {
      String body = testTenant.server().home().release("shopd", version, Long.parseLong(version.replace(".", "")));
      testTenant.admin().send("POST", testTenant.path("releases"), body).expectStatus(201);
    }
  }
}
