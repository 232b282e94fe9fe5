package dev.uplift.e2e;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.cli.nats.NatsKeyFolder;
import dev.uplift.protocol.enrolment.JoinToken;
import dev.uplift.protocol.nats.Credentials;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.temporaldev.stack.StackHost;
import dev.uplift.testservers.TestServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Searches for every secret of a stack wherever it could leak to: in every file that is not made to hold it, in the
/// answers of REST and the agent, in command lines and environments, and, read by their own programs, in the streams,
/// in Temporal's histories and in the tables.
@Timeout(300)
final class SecretLeakTest {
  private static final Stack STACK = TestServers.stack().tls().open();
  private static final Duration TIMEOUT = Duration.ofSeconds(90);
  private static final Map<String, String> SECRETS = new LinkedHashMap<>();
  private static final Map<String, String> OUTPUTS = new LinkedHashMap<>();
  private static final StackContents CONTENTS = new StackContents(STACK);
  private static Map<String, String> processes = Map.of();
  private static Map<String, String> messages = Map.of();
  private static Map<String, String> histories = Map.of();
  private static String tables = "";
  private static String hash = "";
  private static String hostKey = "";
  private static TestRestClient rest;

  @BeforeAll
  static void useThemAll() throws Exception {
    SimulatedFleet.withShortTimeouts(STACK.server());
    STACK.start();
    rest = new TestRestClient(STACK, "acme");
    rest.publish("shopd", "simulated", "2.0", 20);
    rest.putDevice("gate", "left");
    plantSecretOfWebhook();
    StackHost stackHost = STACK.host("acme", "left").withPackage("shopd", "simulated", Map.of("version", "1.0"));
    String unused = token();
    plant("token that was rejected", unused);
    String token = token();
    plant("token", token);
    hash = JoinToken.decode(token).hash();
    record("a token that is unknown", stackHost.join(unused).output());
    record("a truncated token", stackHost.join(token.substring(0, token.length() - 1)).output());
    record("a token", stackHost.join(token).output());
    keepKey("first key of the host", stackHost);
    stackHost.start();
    rest.startUpgrade("u-1", "gate", "shopd", "2.0").expectStatus(201);
    await().atMost(TIMEOUT).until(() -> rest.outcome("u-1").equals("upgraded"));
    record("another key", stackHost.rotateKey().output());
    keepKey("key of the host", stackHost);
    hostKey = Credentials.read(stackHost.credentialsFile()).key().publicKey();
    record("a used token", STACK.host("acme", "other").join(token).output());
    gatherSecrets();
    gatherContents();
  }

  private static void gatherSecrets() throws IOException {
    Path secrets = STACK.folder().resolve("secrets");
    NatsKeyFolder keyFolder = STACK.nats().operator().keyFolder();
    SECRETS.put("key of server", seed(keyFolder.serverCredentials()));
    SECRETS.put("key of system", seed(keyFolder.enrolmentFolder().resolve("system.creds")));
    filesOf(keyFolder.folder(), ".nk");
    filesOf(secrets, ".secret");
    filesOf(secrets, ".password");
    filesOf(STACK.tokens().folder(), "");
    for (Path key :
        List.of(
            STACK.secrets().commandKeyFile(),
            STACK.secrets().releaseKeyFile(),
            STACK.secrets().rootKeyFile(),
            STACK.secrets().certificates().serverChain().resolveSibling("server.key"))) {
      List<String> lines = Files.readAllLines(key);
      // The last line of the body, because the first ones are alike in all keys.
      SECRETS.put(key.toString(), lines.get(lines.size() - 2));
    }
  }

  /// Gathers contents while all processes run, then the database, which the server has open.
  private static void gatherContents() throws Exception {
    for (String path :
        List.of("upgrades/u-1", "audit", "hosts", "hosts/left", "devices/gate", "trust/1", "webhooks/chat")) {
      record("GET " + path, rest.get(path).expectStatus(200).text());
    }
    record("POST malformed", rest.call("POST", "enrolments", Map.of("hosts", 1)).text());
    processes = CONTENTS.processes();
    messages = CONTENTS.messages();
    histories = CONTENTS.histories();
    STACK.server().stop();
    tables = CONTENTS.tables();
  }

  private static void record(String what, String text) {
    OUTPUTS.put(what, text);
  }

  private static String token() {
    return rest.call("POST", "devices/gate/hosts/left/enrolments", Map.of())
        .expectStatus(201)
        .body()
        .path("token")
        .asString();
  }

  private static void plant(String name, String token) {
    SECRETS.put(name, token);
    SECRETS.put("secret of " + name, JoinToken.decode(token).secret());
  }

  /// Its receiver is told of the upgrade, as often as it refuses.
  private static void plantSecretOfWebhook() {
    String secret =
        rest.call("PUT", "webhooks/chat", Map.of("url", "https://127.0.0.1/"))
            .expectStatus(201)
            .body()
            .path("secret")
            .asString();
    SECRETS.put("secret of webhook", secret.replace("whsec_", ""));
  }

  private static void keepKey(String name, StackHost stackHost) throws IOException {
    SECRETS.put(name, seed(stackHost.credentialsFile()));
  }

  private static String seed(Path credentials) throws IOException {
    return Files.readString(credentials).lines().filter(line -> line.startsWith("SU")).toList().getFirst();
  }

  private static void filesOf(Path folder, String ending) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String text = Files.readString(file, ISO_8859_1).strip();
        if (file.toString().endsWith(ending) && text.length() >= 16) {
          SECRETS.put(folder.relativize(file).toString(), text);
        }
      }
    }
  }

  @AfterAll
  static void stop() {
    STACK.close();
  }

  @Test
  void noSecretIsInAFileThatIsNotMadeForIt() throws IOException {
    assertThat(SECRETS).hasSizeGreaterThan(18);
    Map<String, String> searched = files(false);
    searched.forEach(SecretLeakTest::assertNone);
    assertThat(searched.keySet())
        .anyMatch(file -> file.endsWith("server/log"))
        .anyMatch(file -> file.contains("/temporal/"))
        .anyMatch(file -> file.endsWith(".mv.db"))
        .anyMatch(file -> file.contains("/nats/store/"))
        .anyMatch(file -> file.endsWith("hosts/acme/left/log"));
  }

  /// Proves that the search works: it finds each valid secret where it belongs.
  @Test
  void eachSecretIsFoundWhereItBelongs() throws IOException {
    String allowed = String.join("\n", files(true).values());
    SECRETS.forEach((name, secret) -> {
      if (!name.contains("token") && !name.startsWith("first key") && !name.endsWith("webhook")) {
        assertThat(isIn(allowed, secret)).as(name).isTrue();
      }
    });
    String token = requireNonNull(SECRETS.get("token"));
    String hidden = Base64.getEncoder().encodeToString(("x" + token).getBytes(UTF_8));
    assertThat(isIn(hidden, token)).as("in base 64").isTrue();
  }

  @Test
  void noSecretIsPrintedOrListed() {
    OUTPUTS.forEach(SecretLeakTest::assertNone);
    processes.forEach(SecretLeakTest::assertNone);
    assertThat(OUTPUTS).hasSizeGreaterThan(8);
    assertThat(OUTPUTS.get("a used token")).contains("token-used");
    assertThat(processes.values())
        .anyMatch(text -> text.contains("dev.uplift.api.Server"))
        .anyMatch(text -> text.contains("UPLIFT_DATABASE_PASSWORD_FILE="));
  }

  @Test
  void noSecretIsInAStream() {
    messages.forEach(SecretLeakTest::assertNone);
    assertThat(messages.keySet()).anyMatch(key -> key.startsWith("EVT "));
    assertThat(messages.values()).anyMatch(text -> text.contains("\"outcome\""));
  }

  @Test
  void noSecretIsInAHistoryOfTemporal() {
    histories.forEach(SecretLeakTest::assertNone);
    assertThat(histories.values()).anyMatch(text -> text.contains("shopd"));
  }

  @Test
  void noSecretIsInATable() {
    assertNone("tables", tables);
    assertThat(tables).contains(hash, hostKey, "host.create-token", "u-1", "CREATE");
  }

  /// Returns the files of the stack that are made to hold secrets, or all others.
  private static Map<String, String> files(boolean secret) throws IOException {
    Map<String, String> found = new TreeMap<>();
    try (Stream<Path> files = Files.walk(STACK.folder())) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (holdsSecrets(file) == secret) {
          found.put(file.toString(), Files.readString(file, ISO_8859_1));
        }
      }
    }
    return found;
  }

  private static boolean holdsSecrets(Path file) {
    String name = STACK.folder().relativize(file).toString();
    return name.startsWith("secrets/") || name.startsWith("tokens/") || name.contains("/identity-");
  }

  private static void assertNone(String where, String text) {
    SECRETS.forEach((name, secret) -> assertThat(isIn(text, secret)).as("%s is in %s", name, where).isFalse());
  }

  /// Returns whether the text has the secret, plain or within base 64 at any offset.
  private static boolean isIn(String text, String secret) {
    if (text.contains(secret)) {
      return true;
    }
    for (int shift = 0; shift < 3; shift++) {
      String part = secret.substring(shift, shift + (secret.length() - shift) / 3 * 3);
      if (text.contains(Base64.getEncoder().encodeToString(part.getBytes(UTF_8)))) {
        return true;
      }
    }
    return false;
  }
}
