package dev.uplift.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.TestClient;
import dev.uplift.api.testing.TestResponse;
import dev.uplift.api.testing.TestTenant;
import io.micronaut.http.HttpMethod;
import io.micronaut.web.router.Router;
import io.micronaut.web.router.UriRouteInfo;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Sends many bad requests to every route: no input of a client ends in a 500.
@ExtendWith(SharedServerExtension.class)
final class BadRequestTest {
  private static final List<String> NAMES =
      List.of(
          "gate",
          "..",
          "%00",
          "a b",
          "ä☂",
          "x".repeat(300),
          "-",
          "'; DROP TABLE device; --",
          "{}",
          "a\u0000b",
          "a/b",
          "*",
          "0".repeat(64));

  private static final List<String> BODIES =
      List.of(
          "",
          "{",
          "{}",
          "[]",
          "null",
          "7",
          "\"x\"",
          "{\"hosts\":null,\"labels\":[],\"zone\":7,\"reason\":{},\"until\":true,\"title\":[]}",
          "{\"hosts\":[\"\\u0000\"],\"reason\":\"\\u0000\",\"title\":\"\\u0000\",\"host\":\"\\ud800\"}",
          "{\"hosts\":[\"a\"],\"labels\":{\"\":\"\",\"x\":\"\\n\"},\"zone\":\"\\ud800\"}",
          "{\"release\":\"\\u0000\",\"signature\":\"a.b\\nc\"}",
          "{\"release\":7,\"signature\":null}",
          "{\"package\":\"shopd\",\"version\":\"1.0\",\"not_after\":\"9999-12-31T23:59:59Z\"}",
          "{\"package\":\"shopd\",\"version\":\"1.0\",\"not_after\":\"-999999999-01-01T00:00:00Z\"}",
          "{\"package\":\"shopd\",\"version\":\"1.0\",\"host_soak_seconds\":1e400}",
          "{\"package\":\"shopd\",\"version\":\"1.0\",\"host_soak_seconds\":-1,\"rollback_scope\":\"moon\"}",
          "{\"package\":\"\",\"version\":\"\",\"allow_downgrade\":\"yes\"}",
          "{\"reason\":\"" + "x".repeat(10_000) + "\"}",
          "\u0000\u0001\u0002");

  private static final List<String> QUERIES =
      List.of(
          "",
          "?validate=true",
          "?validate=",
          "?limit=99999999999999999999",
          "?limit=-1&cursor=%ff",
          "?cursor=%00",
          "?cursor=AAAA",
          "?labels=%00=%00",
          "?labels==&package=&version=",
          "?package=%00",
          "?outcome=none&running=maybe",
          "?device=%00",
          "?target=%00&x",
          "?tenant=a&host=b&expires=99999999999999999999999&mac=%00",
          "?expires=-1&expires=2");

  private static final List<List<String>> HEADERS =
      List.of(
          List.of("If-Match", "\"99999999999999999999\""),
          List.of("If-None-Match", "\"1\""),
          List.of("Idempotency-Key", "a/b"),
          List.of("Idempotency-Key", "x".repeat(5000)),
          List.of("Range", "bytes=99999999999999999999-1"),
          List.of("Accept", "*/*;q=x"),
          List.of("Content-Type", "nonsense"),
          List.of("Content-Type", "application/json; charset=none"),
          List.of("Content-Encoding", "gzip"),
          List.of("Authorization", "Bearer"),
          List.of("Authorization", "Bearer a.b.c"));

  @Test
  void noBadRequestEndsInAServerError(TestTenant testTenant) {
    testTenant.putDevice("gate", "left");
    Random random = new Random(20261120);
    List<String> faults = new ArrayList<>();
    int asked = 0;
    for (UriRouteInfo<?, ?> route : routes(testTenant)) {
      for (int i = 0; i < 60; i++) {
        String request = request(route, testTenant, random);
        TestClient testClient = client(testTenant, random);
        String body = some(BODIES, random);
        TestResponse testResponse = testClient.sendRaw(route.getHttpMethodName(), request, body);
        asked++;
        if (testResponse.status() == 500 || testResponse.status() == 501) {
          faults.add(route.getHttpMethodName() + " " + request + " " + body + testClient.headers());
        }
      }
    }
    assertThat(faults).isEmpty();
    assertThat(asked).isGreaterThan(1000);
  }

  private static List<UriRouteInfo<?, ?>> routes(TestTenant testTenant) {
    List<UriRouteInfo<?, ?>> routes = new ArrayList<>();
    testTenant
        .server()
        .bean(Router.class)
        .uriRoutes()
        .filter(route -> route.getHttpMethod() != HttpMethod.OPTIONS)
        .forEach(routes::add);
    return routes;
  }

  private static String request(UriRouteInfo<?, ?> route, TestTenant testTenant, Random random) {
    String path = route.getUriMatchTemplate().toPathString();
    if (random.nextInt(10) > 0) {
      path = path.replace("{tenant}", testTenant.name());
    }
    while (path.contains("{")) {
      String name = URLEncoder.encode(some(NAMES, random), StandardCharsets.UTF_8).replace("+", "%20");
      int begin = path.indexOf('{');
      path = path.substring(0, begin) + name + path.substring(path.indexOf('}', begin) + 1);
    }
    return path + some(QUERIES, random);
  }

  private static TestClient client(TestTenant testTenant, Random random) {
    TestClient testClient =
        testTenant.server().clientWithRole("admin", "*").withHeader("Content-Type", "application/json");
    if (random.nextInt(3) == 0) {
      List<String> header = some(HEADERS, random);
      return testClient.withHeader(header.get(0), header.get(1));
    }
    return testClient;
  }

  private static <T> T some(List<T> of, Random random) {
    return of.get(random.nextInt(of.size()));
  }
}
