package dev.uplift.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ServerTest {
  @Test
  void saysThatItIsReady() throws Exception {
    try (EmbeddedServer server =
            ApplicationContext.run(EmbeddedServer.class, Map.of("micronaut.server.port", -1));
        HttpClient client = HttpClient.newHttpClient()) {
      for (String path :
          new String[] {
            "/health",
            "/swagger/uplift.yml",
            "/swagger-ui",
            "/swagger-ui/start.js",
            "/swagger-ui/assets/swagger-ui-bundle.js"
          }) {
        URI uri = server.getURI().resolve(path);
        HttpResponse<String> answer =
            client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(path).isEqualTo(200);
      }
    }
  }
}
