package dev.uplift.temporaldev.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.cli.rest.RestClient;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

final class HostPresenceAwaiterTest {
  @Test
  void aTimeoutNamesTheHostsThatAreNotOnline() {
    List<JsonNode> hosts = List.of(host("one", "online"), host("two", "unknown"));

    assertThat(HostPresenceAwaiter.describeMissing(hosts, 3))
        .isEqualTo(
            "only 1 of 3 hosts are online, 2 are known, not online: " + "{\"host\":\"two\",\"presence\":\"unknown\"}");
  }

  private static JsonNode host(String name, String presence) {
    return RestClient.JSON.createObjectNode().put("host", name).put("presence", presence);
  }
}
