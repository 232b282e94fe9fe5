package dev.uplift.temporaldev;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A host that is played by a folder, and its agent, a process. Whatever the agent starts, detached
/// services too, is on that host, and ends with it.
///
/// The agent is installed in `uplift-agent` as on a device, and runs behind its launcher, which
/// starts it again when it ends. To *start*, *stop* or *kill* the host concerns these alone: the
/// launcher, and every agent that it has started. The host *reboots* when the agent runs the reboot
/// command of its configuration, or by [#powerCycle]: all that runs on it is killed, and after a
/// while it comes back with another boot id, does what it does at boot, and starts its launcher. A
/// reboot that was broken off half way, by the death of all of us, is made good at the next start.
public final class Host extends Part {
  /// As the launcher says it.
  private static final String REFUSES = " ended with 12";

  private final Shared stack;
  private final Nats nats;
  private final String tenant;
  private final String id;
  private final Map<String, String> environment = new LinkedHashMap<>();
  private final AgentFolder agent;
  private final Power power;
  private final HostConfig config;
  private Optional<AgentVersion> installed = Optional.empty();
  private @Nullable Beats beats;
  private long refusals;

  Host(Seat seat, Shared stack, Nats nats, String tenant, String id) {
    super(seat);
    this.stack = stack;
    this.nats = nats;
    this.tenant = tenant;
    this.id = id;
    this.agent = new AgentFolder(folder().resolve("uplift-agent"), folder().resolve("run"));
    this.power = new Power(this, seat.tag());
    this.config = new HostConfig(this, stack, nats);
  }

  public String tenant() {
    return tenant;
  }

  public String id() {
    return id;
  }

  /// Gives it a package of a kind, with its driver's settings. Where these name no `folder`, it is
  /// `packages/<name>` in the host's, or of kind `agent` that of its agent. In force from the next
  /// start on.
  public synchronized Host has(String name, String kind, Map<String, String> settings) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("kind", kind);
    all.put("folder", (kind.equals("agent") ? agent.root() : packageFolder(name)).toString());
    all.putAll(settings);
    config.packages().put(name, all);
    return this;
  }

  /// Its agent is a package of it, `uplift-agent`, with these settings: so it can be upgraded.
  public Host upgradesItsAgent(Map<String, String> settings) {
    return has("uplift-agent", "agent", settings);
  }

  /// The version that it has at first, in place of [Stack#agentVersion].
  public synchronized Host installs(AgentVersion version) {
    installed = Optional.of(version);
    return this;
  }

  /// Where its agent is installed; on a device `/opt/uplift-agent`.
  public Path agentFolder() {
    return agent.root();
  }

  /// The agents of it that are alive, by their versions: one, and two during a hand-over.
  public Map<String, ProcessHandle> agents() {
    return agent.agents(tag()::isOn);
  }

  /// Ends one of its agents as `kill -9` does. The launcher sees it. Nothing when it is not alive.
  public void killAgent(String version) {
    Optional.ofNullable(agents().get(version)).ifPresent(Tag::end);
  }

  /// Ends the launcher alone, as `kill -9` does: nobody looks after the agents until it is back.
  public void killLauncher() {
    ProcessHandle.of(pid()).ifPresent(Tag::end);
  }

  /// A port for a service of this host to listen on; the same ever after.
  public int port(String service) {
    return stack.ports().of("%s/%s %s".formatted(tenant, id, service));
  }

  public Path packageFolder(String name) {
    return folder().resolve("packages").resolve(name);
  }

  /// Sets a field of the agent's configuration (`beat_s`) from its next start on.
  public synchronized Host with(String field, Object value) {
    config.wish(field, value);
    return this;
  }

  /// For its launcher and what this one starts, from the next start on.
  public synchronized Host environment(String name, String text) {
    environment.put(name, text);
    return this;
  }

  /// What a host without its agent would run at boot, before it: the services of its packages.
  public Host atBoot(String... command) {
    power.atBoot(List.of(command));
    return this;
  }

  /// How long a reboot takes from now on; half a second unless said.
  public Host staysAway(Duration away) {
    power.staysAway(away);
    return this;
  }

  /// From now on a reboot ends it, until [#powerOn].
  public Host neverReturns() {
    power.neverReturns();
    return this;
  }

  /// Ends all that runs on it, as a power cut does.
  public void powerOff() {
    power.off();
  }

  /// Another boot id, what it does at boot, then its agent. Returns when the agent serves.
  public void powerOn() {
    power.on();
    awaitReady();
  }

  /// A power cut, and back at once.
  public void powerCycle() {
    powerOff();
    powerOn();
  }

  /// Returns when it has come back with another boot id than this one, and its agent serves.
  public void awaitReboot(String bootIdBefore, Duration within) {
    power.awaitReturn(bootIdBefore, within);
    awaitReady();
  }

  public String bootId() {
    return power.bootId();
  }

  public Path bootIdFile() {
    return power.bootIdFile();
  }

  public Path stateFolder() {
    return folder().resolve("state");
  }

  /// What its agent logs in to NATS with.
  public Path credentials() {
    return config.credentials();
  }

  /// Has it join the fleet with this token, and drop what it was. Its agent is left as it is.
  public synchronized Joined join(String token) {
    return run(token, "join", "--no-start", "-");
  }

  /// The same, and the launcher starts its agent, which ends with the host alone: [#powerOff].
  public synchronized Joined joinAndStart(String token) {
    return run(token, "join", "-");
  }

  /// Has it take another key, as a person would.
  public synchronized Joined rotate() {
    return run("", "rotate");
  }

  private Joined run(String input, String... words) {
    config.join();
    power.prepare();
    writeAll();
    return Joined.of(seat(), agent.told(words), environment, input);
  }

  /// The agent's configuration, as of its last start or [#configure].
  public Path config() {
    return folder().resolve("agent.json");
  }

  /// Writes what an agent needs on this host without starting one: for those who start it by hand.
  public synchronized void configure() {
    power.prepare();
    writeAll();
  }

  @Override
  synchronized Launch prepare() {
    power.prepareStart();
    writeAll();
    return new Launch(agent.supervise(), Map.copyOf(environment));
  }

  private void writeAll() {
    PrivateFile.folder(folder());
    PrivateFile.folder(stateFolder());
    config.packages().keySet().forEach(name -> PrivateFile.folder(packageFolder(name)));
    config.write(config(), power.settings());
    Programs programs = stack.programs();
    agent.install(installed.orElseGet(programs::agentVersion), programs.launcher());
    environment.putAll(agent.environment(config(), bootIdFile()));
  }

  @Override
  void launched(Process process) {
    forgetBeats();
    refusals = refusals();
    beats = nats.isRunning() ? new Beats(nats, tenant, id) : null;
    power.watch(process);
  }

  /// An agent serves when it beats; while NATS is away that cannot be seen, and it runs. One that
  /// refuses its configuration never will, however often the launcher starts it.
  @Override
  boolean isReady() {
    Beats awaited = beats;
    if (refusals() > refusals) {
      throw new StackFailure(
          "%s refuses its configuration:%n%s".formatted(name(), Log.tail(log())));
    }
    return awaited == null || awaited.hasCome();
  }

  @Override
  List<ProcessHandle> processes() {
    return tag().processes().stream().filter(agent::isOf).toList();
  }

  @Override
  void endWhatIsLeft() {
    tag().endAll(agent::isOf);
  }

  /// What a boot empties.
  void emptyRun() {
    agent.boot();
  }

  /// From now on its configuration is somebody else's.
  synchronized Host keepsConfig() {
    config.keep();
    return this;
  }

  /// Whether its agent runs, or will again since it reboots.
  synchronized boolean isOn() {
    return isRunning() || power.isGoingDown();
  }

  synchronized void launchAfterReboot() {
    if (power.isGoingDown()) {
      launch();
    }
  }

  private long refusals() {
    return Log.count(log(), REFUSES);
  }

  void close() {
    power.close();
    forgetBeats();
  }

  private synchronized void forgetBeats() {
    try {
      if (beats != null) {
        beats.close();
        beats = null;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
