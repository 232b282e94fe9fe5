package dev.uplift.cli.nats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.cli.Main;
import dev.uplift.protocol.json.JsonObject;
import dev.uplift.protocol.nats.NatsJwt;
import dev.uplift.protocol.nats.Nkey;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/// The keys of NATS as files. That they work and can be exchanged over a running fleet is for the tests on real
/// servers.
class NatsCommandsTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final CommandLine main =
      Main.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));

  @TempDir private Path temporary;

  private Path folder() {
    return temporary.resolve("nats");
  }

  private int nats(String... words) {
    List<String> all = Stream.concat(Stream.of("nats"), Stream.of(words)).toList();
    return main.execute(Stream.concat(all.stream(), Stream.of("--folder", folder().toString())).toArray(String[]::new));
  }

  private void init() {
    assertThat(nats("init")).as(err.toString()).isZero();
  }

  private String claims(String file) throws IOException {
    return new String(NatsJwt.claims(Files.readString(folder().resolve(file))), StandardCharsets.UTF_8);
  }

  private String name(String key) throws IOException {
    return Nkey.fromSeed(Files.readString(folder().resolve(key))).publicKey();
  }

  @Test
  void allIsMadeForItsOwnerAloneAndToldWhereItGoes() throws Exception {
    init();

    try (Stream<Path> all = Files.walk(folder())) {
      assertThat(all.filter(file -> file.toString().endsWith(".nk")))
          .allMatch(file -> mode(file).equals("rw-------"))
          .hasSize(6);
    }
    assertThat(mode(folder().resolve("offline"))).isEqualTo("rwx------");
    assertThat(Files.readString(folder().resolve("nats/nats.conf")))
        .contains("listen: \"0.0.0.0:4222\"", "operator: \"/etc/nats/operator.jwt\"")
        .contains("cert_file: \"/etc/nats/tls/server.pem\"", "max_file_store: 100GB")
        .contains("dir: \"/var/lib/nats/accounts\"");
    assertThat(claims("enrolment/devices.jwt"))
        .contains("\"host\"", name("enrolment/hosts-signing.nk"))
        .doesNotContain("\"fleet\"");
    assertThat(out.toString())
        .contains("UPLIFT_ENROLMENT_KEYS_FOLDER", "UPLIFT_NATS_CREDENTIALS_FILE", "a safe")
        .doesNotContain("SU", "SO", "SA");
  }

  private static String mode(Path file) {
    try {
      return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void nothingIsOverwritten() throws Exception {
    init();
    String before = Files.readString(folder().resolve("offline/operator.nk"));

    assertThat(nats("init")).isEqualTo(1);

    assertThat(err.toString()).contains(folder() + " is not empty, and no key is overwritten");
    assertThat(Files.readString(folder().resolve("offline/operator.nk"))).isEqualTo(before);
  }

  @Test
  void theKeyBeforeIsGoodUntilItIsRetired() throws Exception {
    init();
    String hosts = name("enrolment/hosts-signing.nk");
    String operator = name("enrolment/operator-signing.nk");

    assertThat(nats("rotate", "hosts-signing") + nats("rotate", "operator-signing")).as(err.toString()).isZero();

    assertThat(claims("enrolment/devices.jwt")).contains(hosts, name("enrolment/hosts-signing.nk"));
    assertThat(claims("nats/operator.jwt")).contains(operator, name("enrolment/operator-signing.nk"));

    assertThat(nats("retire", "hosts-signing") + nats("retire", "operator-signing")).as(err.toString()).isZero();

    assertThat(claims("enrolment/devices.jwt")).contains(name("enrolment/hosts-signing.nk")).doesNotContain(hosts);
    assertThat(claims("nats/operator.jwt")).contains(name("enrolment/operator-signing.nk")).doesNotContain(operator);
  }

  @ParameterizedTest
  @ValueSource(strings = {"server", "system"})
  void credentialsBeforeTheNewestAreRevoked(String which) throws Exception {
    init();
    String account = which.equals("server") ? "enrolment/streams.jwt" : "enrolment/system.jwt";
    assertThat(claims(account)).doesNotContain("revocations");

    assertThat(nats("rotate", which) + nats("retire", which)).as(err.toString()).isZero();
    // The files of another key keep it.
    assertThat(nats("rotate", "operator-signing")).as(err.toString()).isZero();

    long until =
        JsonObject.parse(claims(account).getBytes(StandardCharsets.UTF_8))
            .object("nats")
            .object("revocations")
            .number("*");
    assertThat(until).isPositive();
  }

  @Test
  void aKeyThatLiesElsewhereIsAskedForByItsName() throws Exception {
    Path safe = temporary.resolve("safe");
    assertThat(nats("init", "--offline", safe.toString())).as(err.toString()).isZero();
    assertThat(folder().resolve("offline")).doesNotExist();

    assertThat(nats("rotate", "operator-signing")).isEqualTo(1);
    assertThat(err.toString()).contains("offline/operator.nk is needed, but missing");

    assertThat(nats("rotate", "operator-signing", "--offline", safe.toString())).isZero();
    // Of hosts needs none of them.
    assertThat(nats("rotate", "hosts-signing")).isZero();
  }

  @Test
  void whatIsNoneIsSaid() {
    assertThat(nats("rotate", "hosts")).isEqualTo(2);
    assertThat(err.toString()).contains("hosts-signing", "operator-signing", "server", "system");
    assertThat(nats("rotate", "server")).isEqualTo(1);
    assertThat(err.toString()).contains(folder() + " does not have all keys of NATS");
  }
}
