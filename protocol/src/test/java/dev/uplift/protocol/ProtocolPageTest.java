package dev.uplift.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// `docs/protocol.md` has to be complete for authors of another agent.
final class ProtocolPageTest {
  static final List<GoldenMessage> MESSAGES = GoldenMessagesTest.MESSAGES;

  private static final Path PAGE = Path.of("../docs/protocol.md");
  private static final Pattern NAME = Pattern.compile("\"([a-z_0-9]+)\":");

  private String page = "";

  @BeforeEach
  void read() throws IOException {
    page = Files.readString(PAGE);
  }

  @ParameterizedTest
  @FieldSource("MESSAGES")
  void everyGoldenMessageIsOnThePage(GoldenMessage goldenMessage) throws IOException {
    assertThat(page).contains("\n" + Files.readString(goldenMessage.file()).strip() + "\n");
  }

  @ParameterizedTest
  @FieldSource("MESSAGES")
  void everyFieldIsExplained(GoldenMessage goldenMessage) {
    var names = new TreeSet<String>();
    NAME.matcher(goldenMessage.written()).results().forEach(found -> names.add(found.group(1)));
    // Names of packages and arguments in the examples.
    names.removeAll(List.of("os", "shopd", "channel"));
    names.removeIf(name -> name.matches("[0-9a-f]{16}"));

    assertThat(names).allSatisfy(name -> assertThat(page).contains("`" + name + "`"));
  }

  @Test
  void everyWordIsExplained() {
    Stream.of(CommandAction.values(), WireErrorClass.values(), Heartbeat.State.values(), TrustRoot.Role.values())
        .flatMap(Arrays::stream)
        .forEach(word -> assertThat(page).containsPattern("\\b" + word.wireName() + "\\b"));
  }

  @Test
  void keyAndSignatureAreOnThePage() throws IOException {
    assertThat(page)
        .contains(Files.readString(TestKeys.PUBLIC).strip())
        .contains(Files.readString(GoldenMessage.FOLDER.resolve("command-prepare.sig")).strip())
        .contains(TestKeys.RFC_8032.keyId());
  }

  @Test
  void limitsAreThoseOfTheMessages() {
    assertThat(page)
        .contains("| command | " + Command.MAX_BYTES / 1024 + " KiB |")
        .contains(
            "| event | "
                + Event.MAX_BYTES / 1024
                + " KiB with subject and headers, so 65,000 bytes; of it `log` "
                + Event.MAX_LOG_BYTES / 1024
                + " KiB |")
        .contains("| info | " + AgentInfo.MAX_BYTES / 1024 + " KiB |")
        .contains("| heartbeat | " + Heartbeat.MAX_BYTES / 1024 + " KiB |")
        .contains("| `release.json` | " + ReleaseManifest.MAX_BYTES / 1024 + " KiB,")
        .contains("| `root.json` | " + TrustRoot.MAX_BYTES / 1024 + " KiB |");
  }
}
