package dev.uplift.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.protocol.json.MalformedMessage;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

final class MessagesTest {
  private static final String OUTCOME =
      """
      {"command_id":"c-17","type":"outcome","boot_id":"b1","at":"2026-03-29T01:30:00Z",\
      "result":"error","code":"no-luck","class":"tragic"}\
      """;

  private static final String COMMAND =
      """
      {"id":"c-17","tenant":"acme","host":"left","action":"inspect","epoch":7,\
      "issued_at":"2026-03-29T01:30:00Z","not_after":"2026-03-29T02:30:00Z",\
      "package":"os","version":"1.5.0"}\
      """;

  static final List<Bad> BAD_COMMANDS =
      List.of(
          bad("\"c-17\"", "\"../c-17\"", "id: expected 1 to 64 of A-Z a-z 0-9 _ -, found \"../c-17\""),
          bad("acme", "Acme", "tenant: expected 1 to 63 of a-z 0-9 -"),
          bad("left", "le.ft", "host: expected 1 to 63 of A-Z a-z 0-9 _ -"),
          bad("inspect", "dance", "action: expected one of prepare, upgrade"),
          bad("inspect", "reboot", "expect.boot_id: expected a text in reboot"),
          bad("inspect", "cancel", "cancels: expected a text in cancel"),
          bad("inspect", "upgrade", "release: expected a text in upgrade"),
          bad("\"epoch\":7", "\"epoch\":0", "epoch: expected 1 to 9223372036854775807, found 0"),
          bad(
              "\"epoch\":7",
              "\"epoch\":92233720368547758080",
              "epoch: expected an integer, found a number out of range"),
          bad("\"epoch\":7", "\"epoch\":\"7\"", "epoch: expected an integer, found \"7\""),
          bad("\"epoch\":7", "\"epoch\":7,\"epoch\":8", "epoch: expected once, found twice"),
          bad("1.5.0", "1.5.0 or so", "version: expected 1 to 64 of A-Z a-z 0-9 . + ~ _ -, the first no -"),
          bad("1.5.0", "-1.5.0", "version: expected 1 to 64 of A-Z a-z 0-9 . + ~ _ -, the first no -"),
          bad("\"os\"", "\"/etc\"", "package: expected 1 to 64 of"),
          bad("\"os\"", "\"os\",\"digest\":\"12\"", "digest: expected 64 hex digits"),
          bad("\"os\"", "\"os\",\"expect\":\"b1\"", "expect: expected an object, found \"b1\""),
          bad("\"os\"", "\"os\",\"padding\":\"" + "x".repeat(32_768) + "\"", "command: expected at most 32768 bytes"));

  @ParameterizedTest
  @FieldSource("BAD_COMMANDS")
  void malformedCommandIsRejectedWithTheNameOfTheField(Bad bad) {
    assertThatThrownBy(() -> Command.read(bad.json().getBytes(UTF_8)))
        .isInstanceOf(MalformedMessage.class)
        .hasMessageStartingWith(bad.complaint());
  }

  @Test
  void validCommandIsParsedWithoutAdditions() {
    Command command = Command.read(COMMAND.getBytes(UTF_8));

    assertThat(command.hostAddress()).isEqualTo("acme.left");
    assertThat(command.expect()).isEqualTo(Command.Expect.NONE);
    assertThat(command.order()).isEqualTo(new Order.Inspect());
    assertThat(new String(command.write(), UTF_8)).isEqualTo(COMMAND);
  }

  @Test
  void errorOfAnUnknownClassIsFinal() {
    assertThat(Event.read(OUTCOME.getBytes(UTF_8)).content())
        .isEqualTo(new Event.Outcome(new CommandResult.Failed("no-luck", WireErrorClass.FINAL, ""), ""));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          "result":"error"  | "result":"song"      | unknown-result    | unknown result "song"
          "result":"error"  | "result":""          | unknown-result    | unknown result ""
          "code":"no-luck"  | "code":"No luck!"    | unknown-code      | unknown code "No luck!"
          "code":"no-luck"  | "text":"no disk"     | unknown-code      | unknown code "": no disk
          "code":"no-luck"  | "code":7             | malformed-outcome | code: expected a text, found 7
          "boot_id":"b1"    | "boot_id":"b 1"      | malformed-outcome | boot_id: expected 1 to 64 of A-Z a-z 0-9 _ -
          2026-03-29T01:30  | yesterday            | malformed-outcome | at: expected
          """)
  void outcomeThatIsNotUnderstoodIsAFailureWithItsText(String valid, String said, String code, String text) {
    Event event = Event.read(OUTCOME.replace(valid, said).getBytes(UTF_8));

    assertThat(event.commandId()).isEqualTo("c-17");
    assertThat(event.content())
        .isInstanceOfSatisfying(
            Event.Outcome.class,
            outcome ->
                assertThat(outcome.result())
                    .isInstanceOfSatisfying(
                        CommandResult.Failed.class,
                        failed -> {
                          assertThat(failed.code()).isEqualTo(code);
                          assertThat(failed.errorClass()).isEqualTo(WireErrorClass.FINAL);
                          assertThat(failed.text()).startsWith(text);
                        }));
  }

  @Test
  void outcomeOfNoCommandIsRejected() {
    assertThatThrownBy(() -> Event.read(OUTCOME.replace("c-17", "no id").getBytes(UTF_8)))
        .hasMessageStartingWith("command_id: expected 1 to 64");
  }

  @Test
  void missingVersionIsUnknown() {
    assertThat(Event.read(OUTCOME.getBytes(UTF_8)).version()).isEqualTo("unknown");
  }

  @Test
  void eventOfAnUnknownTypeIsRejected() {
    assertThatThrownBy(() -> Event.read(OUTCOME.replace("outcome", "song").getBytes(UTF_8)))
        .hasMessage("type: expected one of accepted, progress, outcome, found \"song\"");
  }

  @Test
  void tooLongAnEventIsRejected() {
    String padded = OUTCOME.replace("no-luck", "x".repeat(65_536));

    assertThatThrownBy(() -> Event.read(padded.getBytes(UTF_8)))
        .hasMessageStartingWith("event: expected at most 65536 bytes");
  }

  @Test
  void textForPeopleIsTruncatedAndNeverRejected() {
    var failed = new CommandResult.Failed("no-luck", WireErrorClass.FINAL, "x".repeat(5000));

    assertThat(failed.text()).hasSize(1000).endsWith("…");
  }

  /// A colour, the title of a window, the clipboard, a line of its own, text from right to left.
  @Test
  void whatWouldSteerATerminalIsReplacedInWhateverAnAgentSays() {
    String odd = "a\u001b[2J\u0007b\u009bc\u202ed\u2066e\u2028f\rg\th\ni\u007f";
    String clean = "a\ufffd[2J\ufffdb\ufffdc\ufffdd\ufffde\ufffdf\ufffdg\th\ni\ufffd";

    assertThat(new CommandResult.Failed("no-luck", WireErrorClass.FINAL, odd).text()).isEqualTo(clean);
    assertThat(new Event.Progress("step", odd, -1).text()).isEqualTo(clean);
    assertThat(new Event.Outcome(new CommandResult.Done(), odd).log()).isEqualTo(clean);
    String written = OUTCOME.replace("\"at\"", "\"log\":\"\\u001b[31mred\",\"at\"");
    assertThat(((Event.Outcome) Event.read(written.getBytes(UTF_8)).content()).log()).isEqualTo("\ufffd[31mred");
  }

  @Test
  void numberWithAFractionIsNoInteger() {
    for (String number : List.of("1.5", "1e999999999")) {
      Event event = Event.read(OUTCOME.replace("\"at\"", "\"epoch\":" + number + ",\"at\"").getBytes(UTF_8));
      assertThat(event.content())
          .isEqualTo(
              new Event.Outcome(
                  new CommandResult.Failed(
                      "malformed-outcome", WireErrorClass.FINAL, "epoch: expected an integer, found a fraction"),
                  ""));
    }
    String progress = OUTCOME.replace("\"outcome\"", "\"progress\"").replace("\"at\"", "\"percent\":-1,\"at\"");
    assertThatThrownBy(() -> Event.read(progress.getBytes(UTF_8)))
        .isInstanceOf(MalformedMessage.class)
        .hasMessage("percent: expected 0 to 100, found -1");
  }

  @Test
  void logIsTruncatedToItsTailAtAWholeCharacter() {
    var outcome = new Event.Outcome(new CommandResult.Done(), "ü".repeat(4000) + "x" + "ü".repeat(4096));

    assertThat(outcome.log().getBytes(UTF_8)).hasSizeLessThanOrEqualTo(Event.MAX_LOG_BYTES);
    assertThat(outcome.log()).isEqualTo("ü".repeat(4096));
  }

  @Test
  void seventeenVersionsAreTooMany() {
    var versions = new TreeMap<String, String>();
    IntStream.range(0, 17).forEach(i -> versions.put("p" + i, "1"));

    assertThatThrownBy(() -> new Heartbeat(Heartbeat.State.RUNNING, "b1", versions, false, GoldenMessage.AT))
        .hasMessage("versions (entries): expected 0 to 16, found 17");
  }

  @Test
  void outcomeHasTheSameNameEveryTimeItIsSent() {
    assertThat(Event.read(OUTCOME.getBytes(UTF_8)).name()).isEqualTo("c-17.outcome");
  }

  @Test
  void largestReleaseFitsIntoACommandEvenIfAllOfItIsEscaped() {
    String release = "\"".repeat(ReleaseManifest.MAX_BYTES);
    var signed = new Order.SignedRelease(release, "s".repeat(ReleaseManifest.MAX_SIGNATURE_CHARS));
    var command =
        new Command(
            "c-17",
            "acme",
            "left",
            7,
            GoldenMessage.AT,
            GoldenMessage.AT,
            "os",
            "1.5.0",
            "i".repeat(64),
            new Command.Expect("v".repeat(64), "b".repeat(64)),
            Duration.ZERO,
            new Order.Prepare(signed, "u".repeat(2048), true));

    assertThat(command.write()).hasSizeLessThanOrEqualTo(Command.MAX_BYTES);
  }

  @Test
  void releaseNamesTheVersionsThatItMayReplace() {
    assertThat(GoldenMessage.RELEASE.canBeInstalledOver("1.4.1")).isTrue();
    assertThat(GoldenMessage.RELEASE.canBeInstalledOver("1.3.0")).isFalse();
    assertThat(
            ReleaseManifest.read(
                    """
                    {"package":"os","kind":"apt","version":"2","sequence":1,\
                    "created_at":"2026-03-01T12:00:00Z"}\
                    """
                        .getBytes(UTF_8))
                .canBeInstalledOver("1"))
        .isTrue();
  }

  @Test
  void subjectIdentifiesItsHost() {
    String host = Subjects.hostAddress("acme", "left");

    assertThat(Subjects.hostAddressOf(Subjects.command(host))).isEqualTo(host);
    assertThat(Subjects.hostAddressOf(Subjects.events(host))).isEqualTo(host);
    assertThat(Subjects.hostAddressOf(Subjects.heartbeat(host, "7d3f9a1c"))).isEqualTo(host);
    assertThat(Subjects.instanceOf(Subjects.heartbeat(host, "7d3f9a1c"))).isEqualTo("7d3f9a1c");
    assertThatThrownBy(() -> Subjects.hostAddressOf("device-state.acme")).isInstanceOf(MalformedMessage.class);
  }

  record Bad(String json, String complaint) {}

  private static Bad bad(String part, String instead, String complaint) {
    return new Bad(COMMAND.replace(part, instead), complaint);
  }
}
