package dev.uplift.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.cli.file.PrivateFile;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.StubServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// One stub is the issuer and the server.
final class LoginCommandTest {
  private static final String TOKENS =
      "{\"access_token\":\"access-%d\",\"refresh_token\":\"refresh-%d\",\"expires_in\":%d}";

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final StubServer stub;

  @TempDir private Path folder;
  private Path file = Path.of("");

  LoginCommandTest() throws IOException {
    stub = new StubServer();
    stub.answerAtPathEnd("/.well-known/openid-configuration", 200, configuration(stub.url().toString()));
    stub.answerAtPathEnd(
        "/device",
        200,
        """
        {"device_code":"device-1","user_code":"ABCD-EFGH","verification_uri":"https://login.example.com/device",
         "verification_uri_complete":"https://login.example.com/device?code=ABCD-EFGH","interval":0,"expires_in":60}\
        """);
    stub.answerAtPathEnd("/token", 200, TOKENS.formatted(1, 1, 300));
    stub.answerAtPathEnd("/tenants", 200, "{\"items\":[{\"name\":\"acme\"}]}");
    stub.answerAtPathEnd("/devices", 200, "{\"items\":[]}");
    stub.answerAtPathEnd("/revoke", 200, "{}");
  }

  private static String configuration(String issuer) {
    return """
    {"issuer":"%1$s","token_endpoint":"%1$s/token","device_authorization_endpoint":"%1$s/device",
     "authorization_endpoint":"%1$s/authorize","revocation_endpoint":"%1$s/revoke"}\
    """
        .formatted(issuer);
  }

  @BeforeEach
  void nameFile() {
    file = folder.resolve("login.json");
  }

  @AfterEach
  void close() {
    stub.close();
  }

  @Test
  void aCodeThatWasConfirmedBecomesALogin() throws IOException {
    assertThat(login()).as(err.toString()).isZero();

    assertThat(err.toString())
        .contains("https://login.example.com/device?code=ABCD-EFGH", "confirm the code ABCD-EFGH");
    assertThat(out.toString()).contains("logged in at " + stub.url(), "tenants: acme").doesNotContain("access-1");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
    assertThat(stub.requestLines().get(1)).contains("/device", "code_challenge_method=S256", "client_id=uplift-cli");
    assertThat(stub.requestLines().get(2)).contains("/token", "device_code=device-1", "code_verifier=");

    assertThat(list()).as(err.toString()).isZero();
    assertThat(stub.headers("Authorization")).containsOnly("Bearer access-1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"access_denied", "expired_token"})
  void aLoginThatIsNotConfirmedLeavesNoFile(String error) {
    stub.answerAtPathEnd("/token", 400, "{\"error\":\"%s\"}".formatted(error));

    assertThat(login()).isEqualTo(CliException.FAILED);

    assertThat(err.toString()).contains("the login was not confirmed (" + error + ")");
    assertThat(file).doesNotExist();
  }

  @Test
  void aTokenThatTheServerDoesNotAcceptIsNotKept() {
    stub.answerAtPathEnd(
        "/tenants", 401, "{\"title\":\"Unauthorized\",\"status\":401,\"detail\":\"expected aud uplift\"}");

    assertThat(login()).isEqualTo(CliException.FAILED);

    assertThat(err.toString()).contains("expected aud uplift");
    assertThat(file).doesNotExist();
  }

  @Test
  void anExpiredTokenIsRefreshedOnceAndKept() {
    stub.answerAtPathEnd("/token", 200, TOKENS.formatted(1, 1, 0));
    assertThat(login()).as(err.toString()).isZero();
    stub.answerAtPathEnd("/token", 200, TOKENS.formatted(2, 2, 300));

    assertThat(list()).as(err.toString()).isZero();
    assertThat(list()).as(err.toString()).isZero();

    assertThat(stub.headers("Authorization")).containsExactly("Bearer access-1", "Bearer access-2", "Bearer access-2");
    assertThat(stub.requestLines()).filteredOn(line -> line.contains("refresh_token=refresh-1")).hasSize(1);
    assertThat(file).content().contains("refresh-2");
  }

  @Test
  void aLoginThatTheIssuerHasEndedSaysWhatToDo() {
    stub.answerAtPathEnd("/token", 200, TOKENS.formatted(1, 1, 0));
    assertThat(login()).as(err.toString()).isZero();
    stub.answerAtPathEnd("/token", 400, "{\"error\":\"invalid_grant\",\"error_description\":\"Session not active\"}");

    assertThat(list()).isEqualTo(CliException.FAILED);

    assertThat(err.toString()).contains("the login has ended; `uplift login` (Session not active)");
  }

  @Test
  void aLoginIsNotSentToAnotherServer() throws IOException {
    assertThat(login()).as(err.toString()).isZero();
    try (var other = new StubServer()) {
      assertThat(run("device", "list", "--url=" + other.url(), "--tenant=acme", "--token-file=" + file))
          .isEqualTo(CliException.USAGE);

      assertThat(err.toString()).contains("is for " + stub.url() + ", not for " + other.url());
      assertThat(other.requestLines()).isEmpty();
    }
  }

  @Test
  void aConfigurationOfAnotherIssuerIsNotBelieved() {
    stub.answerAtPathEnd("/.well-known/openid-configuration", 200, configuration("https://login.example.com"));

    assertThat(login()).isEqualTo(CliException.FAILED);

    assertThat(err.toString()).contains("names another issuer: https://login.example.com");
    assertThat(stub.requestLines()).hasSize(1);
  }

  @Test
  void anIssuerIsNotAskedInTheClear() {
    assertThat(run("login", "--url=" + stub.url(), "--issuer=http://login.example.com", "--file=" + file))
        .isEqualTo(CliException.USAGE);

    assertThat(err.toString()).contains("expected an https address");
  }

  @Test
  void aFileThatIsNoLoginIsNotOverwritten() {
    PrivateFile.write(file, "the token of something else");

    assertThat(login()).isEqualTo(CliException.USAGE);

    assertThat(file).content().isEqualTo("the token of something else");
  }

  @Test
  void aLogoutDeletesTheFileAndEndsTheSession() {
    assertThat(login()).as(err.toString()).isZero();

    assertThat(run("logout", "--url=" + stub.url(), "--file=" + file)).as(err.toString()).isZero();

    assertThat(file).doesNotExist();
    assertThat(stub.requestLines().getLast()).contains("/revoke", "token=refresh-1");
    assertThat(run("logout", "--url=" + stub.url(), "--file=" + file)).isEqualTo(CliException.FAILED);
    assertThat(err.toString()).contains("there is no login");
  }

  @Test
  void aBrowserBringsTheCodeBackAndNoOtherPageCan() throws Exception {
    var instructions = new PipedReader();
    try (var person = new BufferedReader(instructions);
        var shown = new PrintWriter(new PipedWriter(instructions), true);
        var executor = Executors.newVirtualThreadPerTaskExecutor();
        var http = HttpClient.newHttpClient()) {
      var result =
          executor.submit(() ->
              Main.commandLine()
                  .setOut(new PrintWriter(out, true))
                  .setErr(shown)
                  .execute("login", "--url=" + stub.url(), "--issuer=" + stub.url(), "--file=" + file, "--browser"));
      assertThat(person.readLine()).contains("open this in a browser on this machine");
      String address = person.readLine();
      String redirect = parameter(address, "redirect_uri").replace("%3A", ":").replace("%2F", "/");

      assertThat(status(http, redirect + "?code=stolen&state=made-up")).isEqualTo(404);
      assertThat(status(http, redirect + "favicon.ico")).isEqualTo(404);
      assertThat(result.isDone()).isFalse();
      assertThat(status(http, redirect + "?code=code-1&state=" + parameter(address, "state"))).isEqualTo(200);

      assertThat(result.get(1, TimeUnit.MINUTES)).isZero();
      assertThat(stub.requestLines()).anyMatch(line -> line.contains("code=code-1&") || line.endsWith("code=code-1"));
      assertThat(stub.requestLines()).noneMatch(line -> line.contains("stolen"));
    }
  }

  private static String parameter(String address, String name) {
    return address.replaceFirst("(?s).*[?&]" + name + "=", "").replaceFirst("(?s)[&\\s].*", "");
  }

  private static int status(HttpClient http, String address) throws Exception {
    return http.send(HttpRequest.newBuilder(URI.create(address)).build(), BodyHandlers.ofString()).statusCode();
  }

  private int login() {
    return run("login", "--url=" + stub.url(), "--issuer=" + stub.url(), "--file=" + file);
  }

  private int list() {
    return run("device", "list", "--url=" + stub.url(), "--tenant=acme", "--token-file=" + file);
  }

  private int run(String... words) {
    return Main.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true)).execute(words);
  }
}
