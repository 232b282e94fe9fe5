package dev.uplift.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.protocol.signature.SignatureDomain;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/// A message as stored in `src/test/resources/golden`, and as created by the classes.
record GoldenMessage(String name, Object message, String written, Function<String, Object> reader) {
  static final Path FOLDER = Path.of("src/test/resources/golden");

  static final Instant AT = Instant.parse("2026-03-29T01:30:00Z");
  static final String SHA256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

  static final ReleaseManifest RELEASE =
      new ReleaseManifest(
          "shopd",
          "bundle",
          "1.5.0",
          42,
          Optional.of(new ReleaseManifest.Artifact(1_048_576, SHA256)),
          new TreeMap<>(Map.of("channel", "stable")),
          List.of("1.4.0", "1.4.1"),
          Instant.parse("2026-03-01T12:00:00Z"));

  private static final String ID = "0198e2a4-6f0e-4c2b-9a53-0d6b5c1f7e10";
  private static final String BOOT = "6f2a7c1e-0c1d-4e7f-8a44-2b9d3e5f6a71";
  private static final String NEXT_BOOT = "c0b7de52-93c5-4b1a-b0a6-51f3b7e8d902";
  private static final String INSTANCE = "7d3f9a1c";
  private static final String URL =
      "https://uplift.example/artifacts/" + SHA256 + "?tenant=acme&host=left&expires=1774834200&mac=aGVsbG8";

  private static final Order.SignedRelease SIGNED_RELEASE =
      new Order.SignedRelease(
          text(RELEASE.write()), TestKeys.RFC_8032.sign(SignatureDomain.RELEASE, RELEASE.write()) + "\n");

  static final List<GoldenMessage> COMMANDS =
      List.of(
          command("command-prepare", new Order.Prepare(SIGNED_RELEASE, URL, false)),
          command(
              "command-upgrade", "", new Command.Expect("1.4.0", ""), new Order.Upgrade(SIGNED_RELEASE, SHA256, true)),
          command("command-upgrade-over-a-hold", new Order.Upgrade(SIGNED_RELEASE, SHA256, false, true)),
          command("command-rollback", new Order.Rollback(SIGNED_RELEASE), Duration.ofHours(3)),
          command("command-reboot", new Order.Reboot(BOOT)),
          command("command-halt", new Order.Halt("schema-7", AT.plus(Duration.ofHours(2)))),
          command("command-resume", new Order.Resume("schema-7")),
          command("command-inspect", new Order.Inspect()),
          command("command-cancel", new Order.Cancel("0198e2a4-1111-4c2b-9a53-0d6b5c1f7e10", "ann: wrong site")),
          command(
              "command-stop",
              INSTANCE,
              Command.Expect.NONE,
              new Order.Stop("the new agent works", Duration.ofSeconds(30))));

  static final List<GoldenMessage> EVENTS =
      List.of(
          event("event-accepted", new Event.Accepted()),
          event("event-progress", new Event.Progress("download", "12 of 48 MiB", 25)),
          outcome("event-done", new CommandResult.Done(), ""),
          outcome("event-reboot-required", new CommandResult.RebootRequired(), ""),
          outcome("event-handover-required", new CommandResult.HandoverRequired(), ""),
          outcome("event-cancelled", new CommandResult.Cancelled(), ""),
          outcome(
              "event-error",
              new CommandResult.Failed("disk-full", WireErrorClass.NEEDS_PERSON, "/var: 12 MB left"),
              "unpacking shopd 1.5.0\n/var: no space left on device\n"));

  static final List<GoldenMessage> OTHERS =
      List.of(
          golden(
              "heartbeat",
              new Heartbeat(
                  Heartbeat.State.RUNNING,
                  NEXT_BOOT,
                  new TreeMap<>(Map.of("shopd", "1.5.0", "os", "unknown")),
                  false,
                  AT),
              Heartbeat::write,
              Heartbeat::read),
          golden("info", info(Optional.empty()), AgentInfo::write, AgentInfo::read),
          golden(
              "info-after-a-command",
              info(Optional.of(new AgentInfo.LastOutcome(ID, 1774747800000L, AT, new CommandResult.Done()))),
              AgentInfo::write,
              AgentInfo::read),
          golden("info-with-a-hold", withHold(info(Optional.empty())), AgentInfo::write, AgentInfo::read),
          golden("info-with-offers", withOffers(info(Optional.empty())), AgentInfo::write, AgentInfo::read),
          golden("info-with-a-halt", withHalt(info(Optional.empty())), AgentInfo::write, AgentInfo::read),
          golden("release", RELEASE, ReleaseManifest::write, ReleaseManifest::read),
          golden(
              "release-with-step-timeouts",
              new ReleaseManifest(
                  "acme",
                  "os",
                  "script",
                  "24.04",
                  7,
                  Optional.empty(),
                  new TreeMap<>(),
                  List.of(),
                  new ReleaseManifest.StepSeconds(14_400, 7_200, 1_800, 900, 10_800),
                  Instant.parse("2026-03-01T12:00:00Z")),
              ReleaseManifest::write,
              ReleaseManifest::read),
          golden("root", TestTrustRoots.EXAMPLE, TrustRoot::write, TrustRoot::read),
          golden(
              "signed-root",
              TestTrustRoots.signed(TestTrustRoots.EXAMPLE, TestKeys.RFC_8032),
              SignedTrustRoot::write,
              SignedTrustRoot::read));

  private static AgentInfo withHold(AgentInfo info) {
    var hold = new PackageHold("stocktaking", "root", AT, Optional.of(Instant.parse("2026-04-01T06:00:00Z")));
    return with(info, Map.of("shopd", hold), Map.of());
  }

  private static AgentInfo withOffers(AgentInfo info) {
    return with(
        info, Map.of(), Map.of("os", new PackageOffer(3, 1, "2f7a90c41d3be856"), "shopd", PackageOffer.NOTHING));
  }

  private static AgentInfo with(AgentInfo info, Map<String, PackageHold> holds, Map<String, PackageOffer> offers) {
    return new AgentInfo(
        info.protocolVersion(),
        info.agentVersion(),
        info.drivers(),
        info.architecture(),
        info.versions(),
        info.bootId(),
        info.instance(),
        info.state(),
        info.at(),
        info.rejectedMessages(),
        info.lastOutcome(),
        info.upgradeError(),
        info.rootVersion(),
        new TreeMap<>(holds),
        new TreeMap<>(offers),
        info.halts());
  }

  private static AgentInfo withHalt(AgentInfo info) {
    var halt = new PackageHalt("schema-7", AT.plus(Duration.ofHours(2)));
    return new AgentInfo(
        info.protocolVersion(),
        info.agentVersion(),
        info.drivers(),
        info.architecture(),
        info.versions(),
        info.bootId(),
        info.instance(),
        info.state(),
        info.at(),
        info.rejectedMessages(),
        info.lastOutcome(),
        info.upgradeError(),
        info.rootVersion(),
        info.holds(),
        info.offers(),
        Optional.of(new TreeMap<>(Map.of("shopd", halt))));
  }

  private static AgentInfo info(Optional<AgentInfo.LastOutcome> lastOutcome) {
    return new AgentInfo(
        AgentInfo.PROTOCOL_VERSION,
        "0.1.0",
        List.of("bundle", "script", "simulated"),
        "x86_64",
        new TreeMap<>(Map.of("shopd", "1.4.0")),
        BOOT,
        INSTANCE,
        Heartbeat.State.RUNNING,
        AT,
        0,
        lastOutcome);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, UTF_8);
  }

  private static GoldenMessage command(String name, Order order) {
    return command(name, "", Command.Expect.NONE, order);
  }

  private static GoldenMessage command(String name, Order order, Duration timeout) {
    return command(name, "", Command.Expect.NONE, order, timeout);
  }

  private static GoldenMessage command(String name, String instance, Command.Expect expect, Order order) {
    return command(name, instance, expect, order, Duration.ZERO);
  }

  private static GoldenMessage command(
      String name, String instance, Command.Expect expect, Order order, Duration timeout) {
    var command =
        new Command(
            ID,
            "acme",
            "left",
            1774747800000L,
            AT,
            AT.plus(Duration.ofHours(24)),
            "shopd",
            "1.5.0",
            instance,
            expect,
            timeout,
            order);
    return golden(name, command, Command::write, Command::read);
  }

  private static GoldenMessage outcome(String name, CommandResult commandResult, String log) {
    return event(name, new Event.Outcome(commandResult, log));
  }

  private static GoldenMessage event(String name, Event.Content content) {
    Event event = new Event(ID, 1774747800000L, INSTANCE, BOOT, "1.4.0", "1.5.0", false, AT, content);
    return golden(name, event, Event::write, Event::read);
  }

  private static <M> GoldenMessage golden(String name, M message, Function<M, byte[]> write, Function<byte[], M> read) {
    return new GoldenMessage(name, message, text(write.apply(message)), text -> read.apply(text.getBytes(UTF_8)));
  }

  Path file() {
    return FOLDER.resolve(name + ".json");
  }

  boolean hasResult(Class<?> kind) {
    return message instanceof Event event
        && event.content() instanceof Event.Outcome outcome
        && kind.isInstance(outcome.result());
  }

  Object read(String text) {
    return reader.apply(text);
  }

  @Override
  public String toString() {
    return name;
  }
}
