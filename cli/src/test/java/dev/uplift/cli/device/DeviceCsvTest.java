package dev.uplift.cli.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.cli.CommandScenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// `uplift device put --csv`: many devices by one command.
class DeviceCsvTest extends CommandScenario {
  private int put(String csv, String... more) throws IOException {
    Path file = Files.writeString(folder.resolve("stores.csv"), csv);
    return upliftIn("device", Stream.concat(Stream.of("put", "--csv=" + file), Stream.of(more)).toArray(String[]::new));
  }

  @Test
  void theLinesOfADeviceAreItsHostsInOrder() throws IOException {
    stub.answerByDefault(200, "{}");

    assertThat(
            put("device,host\nshop,till-2,chain=norte\nkiosk,k-1\nshop,till-1,ring=1\n", "--zone=UTC", "--label=a=b"))
        .as(err.toString())
        .isZero();

    assertThat(out.toString()).isEqualTo("stored: 2 devices\n");
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
