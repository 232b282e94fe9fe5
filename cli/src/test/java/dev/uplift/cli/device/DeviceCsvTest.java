package dev.uplift.cli.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.cli.Main;
import dev.uplift.cli.file.PrivateFile;
import dev.uplift.cli.rest.StubServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `uplift device put --csv`: many devices by one command.
class DeviceCsvTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final StubServer stub;

  @TempDir private Path folder;

  DeviceCsvTest() throws IOException {
    stub = new StubServer();
  }

  @AfterEach
  void close() {
    stub.close();
  }

  private int put(String csv, String... more) throws IOException {
    PrivateFile.write(folder.resolve("token"), "secret");
    Path file = Files.writeString(folder.resolve("stores.csv"), csv);
    String line =
        "device put --csv="
            + file
            + " --url="
            + stub.url()
            + " --token-file="
            + folder.resolve("token")
            + " --tenant=acme";
    String all = more.length == 0 ? line : line + " " + String.join(" ", more);
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(all.split(" ", -1));
  }

  @Test
  void theLinesOfADeviceAreItsHostsInOrder() throws IOException {
    stub.answerByDefault(200, "{}");

    assertThat(
            put("device,host\nshop,till-2,chain=norte\nkiosk,k-1\nshop,till-1,ring=1\n", "--zone=UTC", "--label=a=b"))
        .as(err.toString())
        .isZero();

    assertThat(out.toString()).isEqualTo("2 devices are stored\n");
    assertThat(stub.requestLines())
        .containsExactly(
            "PUT /v1/tenants/acme/devices/shop {\"labels\":{\"a\":\"b\",\"chain\":\"norte\",\"ring\":\"1\"},"
                + "\"zone\":\"UTC\",\"hosts\":[\"till-2\",\"till-1\"]}",
            "PUT /v1/tenants/acme/devices/kiosk {\"labels\":{\"a\":\"b\"},\"zone\":\"UTC\",\"hosts\":[\"k-1\"]}");
  }

  @Test
  void aRefusalNamesTheLineAndHowManyAreStored() throws IOException {
    stub.answers(200, "{}").answers(409, "{\"title\":\"Conflict\",\"detail\":\"k-1 is on the device c\"}");

    assertThat(put("shop,till-1\nkiosk,k-1\nlast,l-1\n")).isEqualTo(1);

    assertThat(err.toString())
        .isEqualTo(
            "uplift: "
                + folder.resolve("stores.csv")
                + ", line 2: k-1 is on the device c; 1 of 3 devices are stored\n");
    assertThat(stub.requestLines()).hasSize(2);
  }

  @Test
  void aFaultInTheFileIsSaidBeforeAnyRequest() throws IOException {
    assertThat(put("shop,till-1\nkiosk\n")).isEqualTo(2);

    assertThat(err.toString()).contains("line 2");
    assertThat(stub.requestLines()).isEmpty();
  }
}
