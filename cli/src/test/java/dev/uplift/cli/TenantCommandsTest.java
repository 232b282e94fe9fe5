package dev.uplift.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.cli.file.PrivateFile;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.StubServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TenantCommandsTest {
  private static final String CONTENTS =
      "{\"tenant\":\"acme\",\"devices\":12,\"hosts\":14,\"releases\":3,\"upgrades\":40,\"rollouts\":2}";

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final StubServer stub;

  @TempDir private Path folder;

  TenantCommandsTest() throws IOException {
    stub = new StubServer().answerByDefault(200, CONTENTS);
  }

  @AfterEach
  void close() {
    stub.close();
  }

  @Test
  void aTenantIsDeletedByItsName() {
    assertThat(run("delete", "acme", "--yes")).isZero();

    assertThat(out.toString())
        .contains("the tenant acme with 12 devices, 14 hosts, 3 releases, 40 upgrades, 2 rollouts is deleted");
    assertThat(stub.requests().getLast().uri()).hasToString("/v1/tenants/acme?confirm=acme");
  }

  @Test
  void whatWouldBeDeletedIsShownFirst() {
    assertThat(run("delete", "acme", "--dry-run")).isZero();
    assertThat(out.toString()).contains("12 devices", "can be deleted");

    assertThat(run("delete", "acme")).isEqualTo(CliException.USAGE);

    assertThat(err.toString()).contains("This deletes the tenant acme with 12 devices", "needs --yes");
    assertThat(stub.requests()).hasSize(2).allMatch(request -> request.uri().getQuery().contains("validate=true"));
  }

  @Test
  void anotherTenantThanTheOneInUseIsNotDeletedByMistake() {
    assertThat(run("delete", "globex", "--yes")).isEqualTo(CliException.USAGE);

    assertThat(err.toString()).contains("globex: the tenant in use is acme");
    assertThat(stub.requests()).isEmpty();
  }

  private int run(String... words) {
    Path token = folder.resolve("token");
    PrivateFile.write(token, "secret");
    List<String> options = List.of("--url=" + stub.url(), "--token-file=" + token, "--tenant=acme");
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(Stream.of(List.of("tenant"), List.of(words), options).flatMap(List::stream).toArray(String[]::new));
  }
}
