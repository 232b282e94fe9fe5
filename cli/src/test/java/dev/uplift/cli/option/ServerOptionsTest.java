package dev.uplift.cli.option;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.cli.Main;
import dev.uplift.cli.rest.StubServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A token goes to the server that it is for, and nowhere else.
class ServerOptionsTest {
  private final StringWriter err = new StringWriter();

  @TempDir private Path folder;

  private int list(String url, String permissions) throws IOException {
    Path token = Files.writeString(folder.resolve("token"), "secret");
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString(permissions));
    return Main.commandLine()
        .setOut(new PrintWriter(new StringWriter()))
        .setErr(new PrintWriter(err, true))
        .execute("device", "list", "--url=" + url, "--token-file=" + token, "--tenant=acme");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"http://uplift.example:8080", "http://192.0.2.1", "http://127.0.0.1.example", "ftp://localhost"})
  void aTokenNeverTravelsUnencrypted(String url) throws IOException {
    assertThat(list(url, "rw-------")).isEqualTo(2);

    assertThat(err.toString()).contains(url);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-r-----", "rw----r--", "rw-r--r--"})
  void aTokenThatOthersCanReadIsNotUsed(String permissions) throws IOException {
    try (var stub = new StubServer()) {
      assertThat(list(stub.url().toString(), permissions)).isEqualTo(2);

      assertThat(stub.requestLines()).isEmpty();
    }
    assertThat(err.toString()).contains("other users can read it: chmod 600 " + folder.resolve("token"));
  }

  @Test
  void onThisMachineHttpIsEnough() throws IOException {
    try (var stub = new StubServer()) {
      stub.answers(200, "{\"items\":[]}");

      assertThat(list(stub.url().toString(), "rw-------")).as(err.toString()).isZero();

      assertThat(stub.headers("Authorization")).containsExactly("Bearer secret");
    }
  }
}
