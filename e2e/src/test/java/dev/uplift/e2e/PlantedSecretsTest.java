package dev.uplift.e2e;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.protocol.enrolment.JoinToken;
import dev.uplift.temporaldev.Host;
import dev.uplift.temporaldev.Stack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Every secret of a stack is looked for in every file that is not made to hold it, in what REST
/// tells, and in the list of processes: logs, events in the streams, the history in Temporal, the
/// tables.
@Timeout(300)
final class PlantedSecretsTest {
  private static final Stack STACK = Stack.temporary().secured().open();
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Map<String, String> SECRETS = new LinkedHashMap<>();
  private static final List<String> TOLD = new ArrayList<>();
  private static RestClient rest;

  @BeforeAll
  static void useThemAll() throws Exception {
    SimulatedFleet.quick(STACK.server());
    STACK.start();
    rest = new RestClient(STACK, "acme");
    rest.publish("shopd", "simulated", "2.0", 20);
    rest.putDevice("gate", "left");
    Host host = STACK.host("acme", "left").has("shopd", "simulated", Map.of("version", "1.0"));
    String unused = token();
    plant("token that was refused", unused);
    String token = token();
    plant("token", token);
    TOLD.add(host.join(unused).said());
    TOLD.add(host.join(token.substring(0, token.length() - 1)).said());
    TOLD.add(host.join(token).said());
    host.start();
    rest.start("u-1", "gate", "shopd", "2.0").expect(201);
    await().atMost(PATIENCE).until(() -> rest.outcome("u-1").equals("upgraded"));
    TOLD.add(host.rotate().said());
    SECRETS.put("key of the host", seed(host.credentials()));
    for (String path : List.of("upgrades/u-1", "audit", "hosts/left", "devices/gate")) {
      TOLD.add(rest.get(path).expect(200).text());
    }
    for (String who : List.of("server", "system")) {
      SECRETS.put("key of " + who, seed(STACK.nats().realm().folder().resolve(who + ".creds")));
    }
    filesOf(STACK.nats().realm().folder(), ".nk");
    filesOf(STACK.folder().resolve("secrets"), ".secret");
    filesOf(STACK.folder().resolve("secrets"), ".password");
    filesOf(STACK.tokens().folder(), "");
  }

  private static String token() {
    return rest.call("POST", "devices/gate/hosts/left/enrolments", Map.of())
        .expect(201)
        .body()
        .path("token")
        .asString();
  }

  private static void plant(String name, String token) {
    SECRETS.put(name, token);
    SECRETS.put("secret of " + name, JoinToken.of(token).secret());
  }

  private static String seed(Path credentials) throws IOException {
    return Files.readString(credentials)
        .lines()
        .filter(line -> line.startsWith("SU"))
        .toList()
        .getFirst();
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
  void noneIsInAFileThatIsNotMadeForIt() throws IOException {
    assertThat(SECRETS).hasSizeGreaterThan(12);
    List<Path> searched = new ArrayList<>();
    try (Stream<Path> files = Files.walk(STACK.folder())) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (!holdsSecrets(file)) {
          searched.add(file);
          assertNone(file.toString(), Files.readString(file, ISO_8859_1));
        }
      }
    }
    assertThat(searched).anyMatch(file -> file.endsWith("server/log"));
    assertThat(searched).anyMatch(file -> file.toString().contains("/temporal/"));
    assertThat(searched).anyMatch(file -> file.toString().endsWith(".mv.db"));
    assertThat(searched).anyMatch(file -> file.toString().contains("/nats/store/"));
    assertThat(searched).anyMatch(file -> file.toString().endsWith("hosts/acme/left/log"));
  }

  private static boolean holdsSecrets(Path file) {
    String name = STACK.folder().relativize(file).toString();
    return name.startsWith("secrets/") || name.startsWith("tokens/") || name.contains("/identity-");
  }

  @Test
  void noneIsToldOrListed() throws IOException {
    for (String told : TOLD) {
      assertNone("what was told", told);
    }
    for (ProcessHandle process : STACK.processes()) {
      Path line = Path.of("/proc/%d/cmdline".formatted(process.pid()));
      if (Files.exists(line)) {
        assertNone(line.toString(), Files.readString(line, ISO_8859_1));
      }
    }
  }

  private static void assertNone(String where, String text) {
    SECRETS.forEach((name, secret) ->
        assertThat(text.contains(secret)).as("%s is in %s", name, where).isFalse());
  }
}
