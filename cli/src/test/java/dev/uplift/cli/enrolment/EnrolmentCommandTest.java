package dev.uplift.cli.enrolment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.cli.Main;
import dev.uplift.cli.file.PrivateFile;
import dev.uplift.cli.rest.StubServer;
import dev.uplift.protocol.TrustRoot;
import dev.uplift.protocol.enrolment.JoinToken;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/// Tokens are shown once, so where they go is sure before they are made.
class EnrolmentCommandTest {
  private static final String END = "2026-11-21T15:00:00Z";
  private static final String TWO =
      """
      {"items":[{"device":"a","host":"x","token":"uplift1.one.1","expires_at":"%1$s"},
       {"device":"b","host":"y","token":"uplift1.two.2","expires_at":"%1$s"}]}
      """
          .formatted(END);
  private static final String REFUSED =
      """
      {"title":"conflict","errors":[{"pointer":"/hosts/1/host","detail":"y is on the device c"}]}
      """;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final CommandLine main =
      Main.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
  private final StubServer stub;

  @TempDir private Path folder;

  EnrolmentCommandTest() throws IOException {
    stub = new StubServer();
  }

  @AfterEach
  void close() {
    stub.close();
  }

  private int enrol(String... words) {
    Stream<String> who = Stream.of("enrol", "--tenant=acme", "--url=" + stub.url(), "--token-file=" + folder + "/mine");
    return main.execute(Stream.concat(who, Stream.of(words)).toArray(String[]::new));
  }

  @BeforeEach
  void token() throws IOException {
    PrivateFile.write(folder.resolve("mine"), "secret");
  }

  private Path csv(String... lines) throws IOException {
    return Files.write(folder.resolve("hosts.csv"), List.of(lines));
  }

  @Test
  void manyAreLinesForProgramsAndNothingElse() throws Exception {
    stub.answerByDefault(201, TWO);

    assertThat(enrol("--csv", csv("a,x", "b,y").toString())).as(err.toString()).isZero();

    assertThat(out.toString())
        .isEqualToNormalizingNewlines(
            """
            device,host,token,expires_at
            a,x,uplift1.one.1,%1$s
            b,y,uplift1.two.2,%1$s
            """
                .formatted(END));
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void aFileOfTokensIsItsOwnersAloneAndNeverOverwritten() throws Exception {
    stub.answerByDefault(201, TWO);
    Path tokens = folder.resolve("tokens.csv");
    String[] line = {"--csv", csv("a,x", "b,y").toString(), "--output", tokens.toString()};

    assertThat(enrol(line)).as(err.toString()).isZero();

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(tokens))).isEqualTo("rw-------");
    assertThat(tokens).content().contains("a,x,uplift1.one.1");
    assertThat(out.toString()).isEqualToNormalizingNewlines(tokens + ": 2 tokens, valid until " + END + "\n");

    int before = stub.requestLines().size();
    assertThat(enrol(line)).isEqualTo(1);
    assertThat(err.toString()).contains("already exists");
    assertThat(stub.requestLines()).hasSize(before);
  }

  @Test
  void whatTheServerRefusesIsSaidOfTheLineThatAskedForIt() throws Exception {
    stub.answerByDefault(409, REFUSED);
    Path tokens = folder.resolve("tokens.csv");
    Path csv = csv("# shops", "a,x", "", "b,y");

    assertThat(enrol("--csv", csv.toString(), "--output", tokens.toString())).isEqualTo(1);

    assertThat(err.toString()).contains(csv + ", line 4, host: y is on the device c");
    assertThat(tokens).doesNotExist();
  }

  @Test
  void whatWasMadeBeforeARefusalIsNotLost() throws Exception {
    stub.answers(201, "{}").answers(201, "{}").answers(201, TWO).answers(409, REFUSED);
    Path tokens = folder.resolve("tokens.csv");

    assertThat(enrol("--device=d-####", "--host=h-####", "--count=1002", "--output=" + tokens)).isEqualTo(1);

    assertThat(stub.requestLines().stream().map(asked -> asked.contains("validate=true")))
        .containsExactly(true, true, false, false);
    assertThat(tokens).content().contains("uplift1.one.1");
    assertThat(err.toString()).contains("number 1002, host: y is on", "the first 2 of 1002 hosts have a token");
  }

  @Test
  void tokensNameTheRootKeysThatThisMachineKnows() throws Exception {
    assertThat(main.execute("keys", "create", folder + "/owner")).as(err.toString()).isZero();
    assertThat(
            main.execute(
                "keys",
                "root",
                "init",
                "--folder=" + folder,
                "--tenant=acme",
                "--root-key=" + folder + "/owner.pem",
                "--release-key=" + key("release"),
                "--command-key=" + key("command")))
        .as(err.toString())
        .isZero();
    JoinToken plain = JoinToken.create("https://uplift.example.com", "acme", "x", "");
    String answer =
        "{\"device\":\"a\",\"host\":\"x\",\"token\":\"%s\",\"expires_at\":\"%s\"}".formatted(plain.encode(), END);
    stub.answerByDefault(201, answer);

    assertThat(enrol("--device=a", "--host=x", "--root=" + folder)).as("not signed yet").isEqualTo(2);
    assertThat(err.toString()).contains("--root: root 1 is not valid: signature: expected 1");
    assertThat(stub.requestLines()).isEmpty();
    assertThat(main.execute("keys", "root", "sign", "--folder=" + folder, "--key=" + folder + "/owner.key.pem"))
        .isZero();
    out.getBuffer().setLength(0);
    assertThat(enrol("--device=a", "--host=x", "--root=" + folder)).as(err.toString()).isZero();

    JoinToken shown = JoinToken.decode(out.toString());
    TrustRoot root = TrustRoot.read(Files.readAllBytes(folder.resolve("1.root.json")));
    assertThat(shown).isEqualTo(plain.withRoot(root));
    assertThat(shown.rootKeys()).isEqualTo(root.rootKeysHash());
    assertThat(shown.rootVersion()).isEqualTo(1);
  }

  private String key(String name) {
    assertThat(main.execute("keys", "create", folder + "/" + name)).as(err.toString()).isZero();
    return folder + "/" + name + ".pem";
  }

  @Test
  void aDryRunShowsNoTokenThatIsNone() throws Exception {
    stub.answerByDefault(200, TWO);
    Path tokens = folder.resolve("tokens.csv");

    assertThat(enrol("--csv", csv("a,x", "b,y").toString(), "--dry-run", "--output=" + tokens)).isZero();
    assertThat(enrol("--device=a", "--host=x", "--dry-run")).isZero();

    assertThat(out.toString()).doesNotContain("uplift1").contains("nothing was changed");
    assertThat(tokens).doesNotExist();
    assertThat(stub.requestLines()).allMatch(asked -> asked.contains("validate=true"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--host=x| '--device'",
        "--device=d| '--host'",
        "--device=d --host=h --label=a=b| need --count",
        "--csv=nowhere.csv| cannot be read",
        "--csv=nowhere.csv --count=2| the file names the hosts",
        "--device=d --host=h-# --count=2| one place for a number",
        "--device=d-# --host=h-# --count=2 --first=-1| --first: expected 0 or more",
        "--device=d --host=h --valid-for=8d| such as 30m or 1h, 7d at most",
      })
  void invalidOptionsSendNoRequest(String line, String said) {
    assertThat(enrol(line.split(" ", -1))).isEqualTo(2);

    assertThat(err.toString()).contains(said.strip());
    assertThat(stub.requestLines()).isEmpty();
  }

  @Test
  void whatIsNoTextIsSaidSo() throws Exception {
    Path file = folder.resolve("hosts.csv");
    Files.write(file, new byte[] {'a', ',', (byte) 0xFC, '\n'});

    assertThat(enrol("--csv", file.toString())).isEqualTo(2);

    assertThat(err.toString()).contains("expected UTF-8");
  }

  @Test
  void aThousandAndOneAreAskedForInTwo() throws Exception {
    stub.answerByDefault(201, TWO);
    String[] lines = IntStream.rangeClosed(1, 1001).mapToObj(i -> "d" + i + ",h" + i).toArray(String[]::new);

    assertThat(enrol("--csv", csv(lines).toString())).as(err.toString()).isZero();

    assertThat(stub.requests().stream().map(asked -> asked.body().split("\"device\"", -1).length - 1))
        .as(stub.requestLines().stream().map(asked -> asked.substring(0, 60)).collect(Collectors.joining()))
        .containsExactly(1000, 1, 1000, 1);
  }
}
