package dev.uplift.cli.keys;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.cli.Main;
import dev.uplift.cli.file.PrivateFile;
import dev.uplift.cli.rest.StubServer;
import dev.uplift.protocol.TrustRoot;
import dev.uplift.protocol.TrustRoot.Role;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Keys and roots, as people make them on a machine without a network.
class KeysCommandsTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path folder;

  @BeforeEach
  void keys() {
    for (String name : List.of("ann", "bob", "carl", "release", "command")) {
      did("keys create " + at(name));
    }
  }

  @Test
  void aPrivateKeyIsForItsOwnerAloneAndNeverOverwritten() throws IOException {
    String before = Files.readString(folder.resolve("ann.key.pem"));

    assertThat(uplift("keys create " + at("ann"))).isEqualTo(1);

    assertThat(err.toString()).contains("ann.key.pem already exists, and no key is overwritten");
    assertThat(folder.resolve("ann.key.pem")).hasContent(before);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("ann.key.pem"))))
        .isEqualTo("rw-------");
  }

  @Test
  void theFirstRootIsSignedByAsManyAsItSays() {
    init();
    assertThat(uplift("keys root sign --folder=ROOTS --key=" + at("ann.key.pem"))).isZero();
    assertThat(out.toString())
        .endsWith("found " + id("ann") + "\n")
        .contains("version 1 signature: expected 2 of the root keys of itself");

    did("keys root sign --folder=ROOTS --key=" + at("bob.key.pem"));

    assertThat(out.toString()).endsWith("version 1 has all required signatures\n");
    TrustRoot trustRoot = root(1);
    assertThat(trustRoot.tenant()).isEqualTo("acme");
    assertThat(trustRoot.expiresAt()).isEqualTo(Instant.parse("2999-01-01T00:00:00Z"));
    assertThat(trustRoot.roleKeys(Role.ROOT).keys()).containsExactly(id("ann"), id("bob"));
  }

  @Test
  void changesGoIntoOneNextVersionUntilItIsSigned() {
    init();
    sign("ann", "bob");
    did("keys create " + at("newer"));

    did("keys root add release --folder=ROOTS " + at("newer.pem"));
    did("keys root add root --folder=ROOTS " + at("carl.pem"));
    did("keys root remove --folder=ROOTS " + id("ann"));

    assertThat(root(2).roleKeys(Role.RELEASE).keys()).containsExactly(id("release"), id("newer"));
    assertThat(root(2).roleKeys(Role.ROOT).keys()).containsExactly(id("bob"), id("carl"));
    sign("bob");
    assertThat(uplift("keys root renew --folder=ROOTS")).isEqualTo(2);
    assertThat(err.toString()).contains("2.root.json lacks signatures");
    sign("ann", "carl");
    assertThat(out.toString()).endsWith("version 2 has all required signatures\n");
    did("keys root renew --folder=ROOTS --threshold=root=1");
    assertThat(root(3).roleKeys(Role.ROOT).threshold()).isEqualTo(1);
    did("keys root show --folder=ROOTS");
    assertThat(out.toString()).contains("VERSION", id("newer"));
  }

  @Test
  void whoHasNoSayCannotSign() {
    init();

    assertThat(uplift("keys root sign --folder=ROOTS --key=" + at("release.key.pem"))).isEqualTo(2);

    assertThat(err.toString()).contains(id("release") + " is not a root key of version 1 or of its predecessor");
  }

  @Test
  void whatWouldBeNoRootIsNotWritten() {
    init();

    assertThat(uplift("keys root remove --folder=ROOTS " + id("release"))).isEqualTo(2);
    assertThat(err.toString()).contains("version 1 would be invalid: roles.release.threshold");
    assertThat(uplift("keys root add command --folder=ROOTS " + at("release.pem"))).isEqualTo(2);
    assertThat(err.toString()).contains("exactly one role");
    assertThat(uplift("keys root add command --folder=ROOTS " + at("release.key.pem"))).isEqualTo(2);
    assertThat(err.toString()).contains("expected an Ed25519 public key (SPKI, PEM)");
    assertThat(root(1).roleKeys(Role.COMMAND).keys()).containsExactly(id("command"));
  }

  @Test
  void theServerIsBroughtWhatItDoesNotHave() throws IOException {
    init();
    sign("ann", "bob");
    did("keys root renew --folder=ROOTS");
    sign("ann", "bob");
    did("keys root renew --folder=ROOTS");
    sign("ann", "bob");
    PrivateFile.write(folder.resolve("token"), "secret");
    try (StubServer stubServer = new StubServer()) {
      stubServer.answers(200, "{\"version\":1}").answers(201, "{\"version\":2}").answers(201, "{\"version\":3}");

      did(
          "keys root publish --folder=ROOTS --tenant=acme --url=%s --token-file=%s"
              .formatted(stubServer.url(), at("token")));

      assertThat(stubServer.requestLines())
          .extracting(line -> line.split(" \\{", 2)[0])
          .containsExactly(
              "GET /v1/tenants/acme/trust", "PUT /v1/tenants/acme/trust/2", "PUT /v1/tenants/acme/trust/3");
    }
    assertThat(out.toString()).contains("version 3 is published");
  }

  @Test
  void whatIsNotSignedByEnoughIsNotPublished() {
    init();
    sign("ann");

    assertThat(uplift("keys root publish --folder=ROOTS --tenant=acme --url=http://127.0.0.1:1" + " --token-file=x"))
        .isEqualTo(2);
    assertThat(err.toString()).contains("version 1: signature: expected 2 of the root keys");
  }

  @Test
  void aReleaseIsSignedByASecondKeyAndToBeGoneBackTo() throws IOException {
    Path dir = Files.createDirectories(folder.resolve("release-dir"));
    did(
        "release sign --key=%s --package=os --kind=apt --version=1 --sequence=1 --folder=%s"
            .formatted(at("release.key.pem"), dir));

    did("keys sign --key=%s %s".formatted(at("carl.key.pem"), dir));
    did("keys sign --key=%s %s".formatted(at("carl.key.pem"), dir));
    did("keys sign --allow-downgrade --key=%s %s".formatted(at("carl.key.pem"), dir));

    assertThat(Files.readAllLines(dir.resolve("release.sig")))
        .extracting(line -> line.substring(0, line.indexOf('.')))
        .containsExactly(id("release"), id("carl"), id("carl"));
  }

  private void init() {
    did(
        "keys root init --folder=ROOTS --tenant=acme --root-key=%s --root-key=%s"
                .formatted(at("ann.pem"), at("bob.pem"))
            + " --release-key=%s --command-key=%s".formatted(at("release.pem"), at("command.pem"))
            + " --threshold=root=2 --expires=2999-01-01T00:00:00Z");
  }

  private void sign(String... names) {
    String keys = Stream.of(names).map(name -> " --key=" + at(name + ".key.pem")).reduce("", String::concat);
    did("keys root sign --folder=ROOTS" + keys);
  }

  private TrustRoot root(int version) {
    try {
      return TrustRoot.read(Files.readString(folder.resolve("roots/" + version + ".root.json")).getBytes(UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String at(String name) {
    return folder.resolve(name).toString();
  }

  private String id(String name) {
    return KeyFile.readPublic(folder.resolve(name + ".pem")).id();
  }

  private void did(String line) {
    assertThat(uplift(line)).as(line + ": " + err).isZero();
  }

  private int uplift(String line) {
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(
            Arrays.stream(line.split(" "))
                .map(word -> word.replace("ROOTS", folder.resolve("roots").toString()))
                .toArray(String[]::new));
  }
}
