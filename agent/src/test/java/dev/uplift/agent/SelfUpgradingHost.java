package dev.uplift.agent;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Heartbeat;
import dev.uplift.protocol.Heartbeat.State;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.temporaldev.programs.AgentVersion;
import dev.uplift.temporaldev.stack.StackHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/// A host whose agent is a package of it, at 1.0.0.
final class SelfUpgradingHost implements AutoCloseable {
  final StackHost host;
  private final AgentTestbed testbed;
  private final Map<String, String> settings =
      new HashMap<>(Map.of("standby_timeout_seconds", "20", "mode", "parallel"));
  private final AtomicLong uptime = new AtomicLong(100);

  SelfUpgradingHost(AgentTestbed testbed, String name) {
    this(testbed, name, testbed.stack.agentVersion().withName("1.0.0"));
  }

  /// With another first version.
  SelfUpgradingHost(AgentTestbed testbed, String name, AgentVersion first) {
    this.testbed = testbed;
    host = testbed.host(name).withAgentVersion(first);
  }

  SelfUpgradingHost set(String name, String text) {
    settings.put(name, text);
    return this;
  }

  /// Time goes by only where a test says so, as the launcher sees it.
  SelfUpgradingHost useManualUptime() throws IOException {
    advanceUptime(0);
    var _ = host.environment("UPLIFT_AGENT_UPTIME", uptimeFile().toString());
    return this;
  }

  void advanceUptime(int seconds) throws IOException {
    Files.createDirectories(host.folder());
    Path fresh = host.folder().resolve("uptime.new");
    Files.writeString(fresh, uptime.addAndGet(seconds) + ".00 50.00\n");
    Files.move(fresh, uptimeFile(), StandardCopyOption.ATOMIC_MOVE);
  }

  /// The uptime from which the launcher counts the trial.
  int trialCountsFrom() throws IOException {
    return Files.readAllLines(host.agentFolder().resolve("since")).stream()
        .filter(line -> line.startsWith("uptime="))
        .mapToInt(line -> Integer.parseInt(line.substring("uptime=".length())))
        .findFirst()
        .orElseThrow();
  }

  int uptime() {
    return uptime.intValue();
  }

  private Path uptimeFile() {
    return host.folder().resolve("uptime");
  }

  SelfUpgradingHost boot() {
    host.withUpgradableAgent(settings).powerOn();
    return this;
  }

  /// For others who boot it.
  void configure() {
    host.withUpgradableAgent(settings).writeConfig();
  }

  Event order(TestCommandBuilder draft) throws Exception {
    return testbed.outcome(testbed.send(host, draft));
  }

  /// The one that works, once it does.
  String awaitWorking(String version) {
    return awaitInstance(State.RUNNING, version);
  }

  /// All that were ever heard of. Of one that was killed the last word stays what it was.
  Set<String> instances() {
    return Set.copyOf(testbed.latestHeartbeats(host).keySet());
  }

  /// One that works, and is none of these.
  String awaitAnother(Set<String> known, String version) {
    return awaitInstance(State.RUNNING, version, known);
  }

  String awaitInstance(State state, String version) {
    return awaitInstance(state, version, Set.of());
  }

  private String awaitInstance(State state, String version, Set<String> butNot) {
    return await(version + " is " + state)
        .until(
            () ->
                testbed.latestHeartbeats(host).entrySet().stream()
                    .filter(each -> matches(each.getValue(), state, version))
                    .map(Map.Entry::getKey)
                    .filter(each -> !butNot.contains(each))
                    .findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }

  private static boolean matches(Heartbeat heartbeat, State state, String version) {
    return heartbeat.state() == state && heartbeat.version("uplift-agent").equals(version);
  }

  TestCommandBuilder stop(ReleaseManifest release, String instance) {
    return testbed.draft(CommandAction.STOP, release).instance(instance).reason("the new agent stands by");
  }

  /// The versions whose agents are alive.
  Set<String> alive() {
    return host.agents().keySet();
  }

  String current() throws IOException {
    return Files.readSymbolicLink(host.agentFolder().resolve("current")).getFileName().toString();
  }

  /// It is alive, and does nothing any more.
  void suspend(String version) throws Exception {
    long pid = requireNonNull(host.agents().get(version)).pid();
    var kill = new ProcessBuilder("kill", "-STOP", Long.toString(pid)).inheritIO().start();
    assertThat(kill.waitFor()).isZero();
  }

  boolean has(String file) {
    return Files.exists(host.agentFolder().resolve(file));
  }

  @Override
  public void close() {
    host.kill();
  }
}
