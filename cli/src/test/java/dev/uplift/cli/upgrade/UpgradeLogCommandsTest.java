package dev.uplift.cli.upgrade;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.cli.CommandScenario;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;

/// What the steps of an upgrade have logged: in `show`, by `log`, and in the archive of `report`.
class UpgradeLogCommandsTest extends CommandScenario {
  private static final String LOGS =
      """
      {"items":[
        {"command":"c-1","host":"till-1","step":"prepare","generation":1,"result":"done",
         "at":"2026-11-22T08:00:00Z","log":"fetched"},
        {"command":"c-2","host":"till-1","step":"upgrade","generation":1,"result":"error",
         "at":"2026-11-22T08:00:05Z","log":"starting\\nno \\u001b[31mspace left"}]}\
      """;

  private int upgrade(String... arguments) {
    return upliftIn("upgrade", arguments);
  }

  @Test
  void logPrintsTheLogOfEachStepBelowItsHostAndResult() {
    stub.answers(200, LOGS);

    assertThat(upgrade("log", "u-1", "--host=till-1", "--step=upgrade")).as(err.toString()).isZero();

    assertThat(out.toString())
        .isEqualTo(
            """
            till-1 prepare: done at 2026-11-22T08:00:00Z
              fetched

            till-1 upgrade: error at 2026-11-22T08:00:05Z
              starting
              no \uFFFD[31mspace left
            """);
    assertThat(stub.requestLines()).containsExactly("GET /v1/tenants/acme/upgrades/u-1/log?host=till-1&step=upgrade");
  }

  @Test
  void logSaysWhenThereIsNone() {
    stub.answers(200, "{\"items\":[]}");

    assertThat(upgrade("log", "u-1")).isZero();

    assertThat(out.toString()).isEqualTo("no step has sent a log, or it is older than logs are kept\n");
  }

  @Test
  void followPrintsEachLogOnceUntilTheUpgradeHasEnded() {
    stub.answers(200, "{\"id\":\"u-1\"}")
        .answers(200, LOGS.replaceAll("(?s),\\s*\\{\"command\":\"c-2\".*", "]}"))
        .answers(200, "{\"id\":\"u-1\",\"outcome\":\"rolled-back\"}")
        .answers(200, LOGS);

    assertThat(upgrade("log", "u-1", "--follow")).as(err.toString()).isZero();

    assertThat(out.toString().lines().filter(line -> !line.startsWith("  ")))
        .containsExactly(
            "till-1 prepare: done at 2026-11-22T08:00:00Z", "till-1 upgrade: error at 2026-11-22T08:00:05Z");
  }

  @Test
  void showEndsWithTheTailOfTheLogOfTheFailedStep() {
    String log = IntStream.rangeClosed(1, 43).mapToObj(i -> "line " + i).collect(Collectors.joining("\\n"));
    stub.answers(
        200,
        """
        {"id":"u-1","device":"shop","package":"till","version":"2","outcome":"rolled-back","timeline":[
          {"id":"c-1","host":"till-1","step":"prepare","outcome":{"result":"done","log":"quiet"}},
          {"id":"c-2","host":"till-1","step":"upgrade","outcome":{"result":"error","log":"LOG"}}]}\
        """
            .replace("LOG", log));

    assertThat(upgrade("show", "u-1")).isZero();

    assertThat(out.toString())
        .contains(
            "log of upgrade on till-1, the last 10 of 43 lines"
                + " (all of it: uplift upgrade log u-1 --host till-1 --step upgrade):\n  line 34\n")
        .endsWith("  line 43\n")
        .doesNotContain("quiet");
  }

  @Test
  void reportHasEverythingAboutAnUpgradeAndNoSecret() throws IOException {
    String seed = "SUAMK2FG4MI6UE3ACF3FK3OIQBCEIEZV7NSWFFEW63UXMRLFM2XLAXK4GY";
    String jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.c2lnbmF0dXJl";
    String log =
        "db url postgres://till:hunter2@db/till\\npassword=hunter3\\nAuthorization: Bearer abcdefgh12345678\\n"
            + seed
            + "\\n-----BEGIN PRIVATE KEY-----\\nMIIsecretbytes\\n-----END PRIVATE KEY-----\\n"
            + jwt
            + "\\nGET /artifact?sig=c2VjcmV0&size=9\\n{\\\"api_key\\\": \\\"hunter4\\\"}\\nthe-token-of-the-caller\\n"
            + "db_password: 'hunter5'\\nthe health command ended with 1";
    stub.answerByDefault(404, "{\"title\":\"Not Found\",\"detail\":\"there is no such thing\"}")
        .answerAtPathEnd(
            "/upgrades/u-1", 200, "{\"id\":\"u-1\",\"device\":\"shop\",\"package\":\"till\",\"version\":\"2\"}")
        .answerAtPathEnd(
            "/log", 200, "{\"items\":[{\"host\":\"till-1\",\"step\":\"upgrade\",\"log\":\"" + log + "\"}]}")
        .answerAtPathEnd("/devices/shop", 200, "{\"name\":\"shop\",\"join_token\":\"hunter6\",\"revision\":3}");
    Path file = folder.resolve("report.zip");

    assertThat(upgrade("report", "u-1", "--output=" + file)).as(err.toString()).isZero();

    assertThat(out.toString()).isEqualTo("wrote " + file + "; look through it before you pass it on\n");
    Map<String, String> files = unzip(file);
    assertThat(files)
        .containsOnlyKeys(
            "audit.json",
            "device.json",
            "health.json",
            "hosts.json",
            "logs.json",
            "release.json",
            "upgrade.json",
            "upgrades-of-device.json",
            "versions.json",
            "windows.json");
    assertThat(files.get("logs.json"))
        .contains("the health command ended with 1", "GET /artifact?sig=[redacted]&size=9");
    assertThat(files.get("device.json")).contains("\"revision\" : 3");
    assertThat(files.get("release.json")).contains("there is no such thing");
    assertThat(files.get("versions.json")).contains("uplift 0.1.0");
    assertThat(String.join("\n", files.values()))
        .doesNotContain("hunter", seed, "secretbytes", jwt, "c2VjcmV0", "abcdefgh12345678", TOKEN);
  }

  private static Map<String, String> unzip(Path file) throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (InputStream in = Files.newInputStream(file);
        var zip = new ZipInputStream(in)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        files.put(entry.getName(), new String(zip.readAllBytes(), UTF_8));
      }
    }
    return files;
  }
}
