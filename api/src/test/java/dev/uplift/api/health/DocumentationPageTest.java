package dev.uplift.api.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.TestResponse;
import dev.uplift.api.testing.TestServer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The page of the documentation keeps tokens to itself.
@ExtendWith(SharedServerExtension.class)
final class DocumentationPageTest {
  @ParameterizedTest
  @ValueSource(strings = {"/swagger-ui/index.html", "/swagger-ui/start.js", "/swagger/uplift.yml"})
  void noOtherSiteFramesThePageOrAddsScripts(String path, TestServer server) {
    TestResponse page = server.anonymousClient().get(path).expectStatus(200);

    assertThat(page.header("Content-Security-Policy").orElseThrow())
        .contains("default-src 'none'", "script-src 'self';", "frame-ancestors 'none'");
    assertThat(page.header("X-Frame-Options")).contains("DENY");
    assertThat(page.header("X-Content-Type-Options")).contains("nosniff");
  }

  @Test
  void thePageHasNoScriptOfItsOwnAndForgetsTokens(TestServer server) {
    assertThat(server.anonymousClient().get("/swagger-ui/index.html").text()).doesNotContain("<script>", "onload=");
    assertThat(server.anonymousClient().get("/swagger-ui/start.js").text()).contains("persistAuthorization: false");
  }

  @Test
  void onlyParametersOfPathsHaveExamplesBecauseTryItOutSendsThem(TestServer server) {
    String document = server.anonymousClient().get("/swagger/uplift.yml").text();
    Pattern parameter = Pattern.compile("(?m)^      in: (query|header)\\n(?:      .*\\n)*");

    assertThat(parameter.matcher(document).results().map(MatchResult::group))
        .isNotEmpty()
        .noneMatch(text -> text.contains("example:"));
  }
}
