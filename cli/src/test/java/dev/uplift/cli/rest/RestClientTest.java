package dev.uplift.cli.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RestClientTest {
  private StubServer stub;
  private RestClient rest;

  RestClientTest() throws IOException {
    stub = new StubServer();
    rest = new RestClient(stub.url(), "token", "acme");
  }

  @BeforeEach
  void nothingWasAskedYet() {
    assertThat(stub.requestLines()).isEmpty();
  }

  @AfterEach
  void close() {
    rest.close();
    stub.close();
  }

  @Test
  void aListIsReadToItsLastPage() {
    stub.answers(200, "{\"items\":[{\"n\":1}],\"next_cursor\":\"a b\"}").answers(200, "{\"items\":[{\"n\":2}]}");

    assertThat(rest.getAll("devices", Map.of("label", "")).toString()).isEqualTo("[{\"n\":1},{\"n\":2}]");
    assertThat(stub.requestLines())
        .containsExactly("GET /v1/tenants/acme/devices", "GET /v1/tenants/acme/devices?cursor=a%20b");
  }

  @Test
  void aRefusalIsOneLineThatSaysWhatAndWhere() {
    stub.answers(
        422,
        """
        {"title": "Invalid device", "status": 422, "detail": "2 fields are\\n wrong",
         "errors": [{"pointer": "/zone", "detail": "no such time zone: Mars"}]}
        """);

    assertThatExceptionOfType(CliException.class)
        .isThrownBy(() -> rest.get("devices/left"))
        .withMessage("2 fields are wrong; zone: no such time zone: Mars")
        .matches(failed -> failed.exitCode() == CliException.FAILED);
  }

  @Test
  void whatIsWrongIsSaidOnceWithItsPlace() {
    stub.answers(
        400,
        """
        {"title": "Bad Request", "detail": "line 1, column 3: what; expected 1",
         "errors": [{"parameter": "filter", "detail": "line 1, column 3: what"},
                    {"header": "If-Match", "detail": "expected 1"}]}
        """);

    assertThatExceptionOfType(CliException.class)
        .isThrownBy(() -> rest.get("devices"))
        .withMessage("filter: line 1, column 3: what; If-Match: expected 1");
  }

  @Test
  void anAnswerOfAnotherServerIsARefusalToo() {
    stub.answers(502, "<html>Bad Gateway</html>");

    assertThatExceptionOfType(CliException.class)
        .isThrownBy(() -> rest.get("devices"))
        .withMessage("the server answered 502");
  }

  @Test
  void aServerThatIsNotThereHasAnExitCodeOfItsOwn() {
    stub.close();

    assertThatExceptionOfType(CliException.class)
        .isThrownBy(() -> rest.get("devices"))
        .withMessageContaining("no server responds at " + stub.url())
        .matches(failed -> failed.exitCode() == CliException.UNREACHABLE);
  }

  @Test
  void aNameInAPathIsOneSegmentWhateverItHolds() {
    assertThat(RestClient.pathSegment("a/b c?d")).isEqualTo("a%2Fb%20c%3Fd");
  }
}
