package dev.uplift.temporaldev.stack;

import dev.uplift.cli.keys.PrivateFile;
import dev.uplift.temporaldev.process.LogFile;
import dev.uplift.temporaldev.process.ProcessTag;
import dev.uplift.temporaldev.process.StackException;
import dev.uplift.temporaldev.programs.AgentInstallFolder;
import dev.uplift.temporaldev.programs.AgentVersion;
import dev.uplift.temporaldev.programs.ProgramLocator;
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
public final class StackHost extends StackProcess {
  /// As the launcher says it.
  private static final String CONFIG_REFUSED = " ended with 12";

  private final StackContext stack;
  private final NatsServer nats;
  private final String tenant;
  private final String id;
  private final Map<String, String> environment = new LinkedHashMap<>();
  private final AgentInstallFolder agent;
  private final HostPower power;
  private final HostConfigWriter config;
  private Optional<AgentVersion> initialVersion = Optional.empty();
  private @Nullable FirstHeartbeatWatch heartbeatWatch;
  private long configRefusals;

  StackHost(ProcessContext context, StackContext stack, NatsServer nats, String tenant, String id) {
    super(context);
    this.stack = stack;
    this.nats = nats;
    this.tenant = tenant;
    this.id = id;
    this.agent = new AgentInstallFolder(folder().resolve("uplift-agent"), folder().resolve("run"));
    this.power = new HostPower(this, context.tag());
    this.config = new HostConfigWriter(this, stack, nats);
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
  public synchronized StackHost withPackage(
      String name, String kind, Map<String, String> settings) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("kind", kind);
    all.put("folder", (kind.equals("agent") ? agent.root() : packageFolder(name)).toString());
    all.putAll(settings);
    config.packages().put(name, all);
    return this;
  }

  /// Its agent is a package of it, `uplift-agent`, with these settings: so it can be upgraded.
  public StackHost withUpgradableAgent(Map<String, String> settings) {
    return withPackage("uplift-agent", "agent", settings);
  }

  /// The version that it has at first, in place of [Stack#agentVersion].
  public synchronized StackHost withAgentVersion(AgentVersion version) {
    initialVersion = Optional.of(version);
    return this;
  }

  /// Where its agent is installed; on a device `/opt/uplift-agent`.
  public Path agentFolder() {
    return agent.root();
  }

  /// The agents of it that are alive, by their versions: one, and two during a hand-over.
  public Map<String, ProcessHandle> agents() {
    return agent.runningAgents(tag()::isCarriedBy);
  }

  /// Ends one of its agents as `kill -9` does. The launcher sees it. Nothing when it is not alive.
  public void killAgent(String version) {
    Optional.ofNullable(agents().get(version)).ifPresent(ProcessTag::kill);
  }

  /// Ends the launcher alone, as `kill -9` does: nobody looks after the agents until it is back.
  public void killLauncher() {
    ProcessHandle.of(pid()).ifPresent(ProcessTag::kill);
  }

  /// A port for a service of this host to listen on; the same ever after.
  public int servicePort(String service) {
    return stack.ports().portOf("%s/%s %s".formatted(tenant, id, service));
  }

  public Path packageFolder(String name) {
    return folder().resolve("packages").resolve(name);
  }

  /// Sets a field of the agent's configuration (`heartbeat_seconds`) from its next start on.
  public synchronized StackHost setting(String field, Object value) {
    config.override(field, value);
    return this;
  }

  /// For its launcher and what this one starts, from the next start on.
  public synchronized StackHost environment(String name, String text) {
    environment.put(name, text);
    return this;
  }

  /// What a host without its agent would run at boot, before it: the services of its packages.
  public StackHost onBoot(String... command) {
    power.bootCommand(List.of(command));
    return this;
  }

  /// How long a reboot takes from now on; half a second unless said.
  public StackHost withRebootDuration(Duration away) {
    power.setRebootDuration(away);
    return this;
  }

  /// From now on a reboot ends it, until [#powerOn].
  public StackHost staysOffAfterReboot() {
    power.stayOffAfterReboot();
    return this;
  }

  /// Ends all that runs on it, as a power cut does.
  public void powerOff() {
    power.powerOff();
  }

  /// Another boot id, what it does at boot, then its agent. Returns when the agent serves.
  public void powerOn() {
    power.powerOn();
    awaitReady();
  }

  /// A power cut, and back at once.
  public void powerCycle() {
    powerOff();
    powerOn();
  }

  /// Returns when it has come back with another boot id than this one, and its agent serves.
  public void awaitReboot(String bootIdBefore, Duration within) {
    power.awaitReboot(bootIdBefore, within);
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
  public Path credentialsFile() {
    return config.credentials();
  }

  /// Has it join the fleet with this token, and drop what it was. Its agent is left as it is.
  public synchronized JoinCommandResult join(String token) {
    return runLauncher(token, "join", "--no-start", "-");
  }

  /// The same, and the launcher starts its agent, which ends with the host alone: [#powerOff].
  public synchronized JoinCommandResult joinAndStart(String token) {
    return runLauncher(token, "join", "-");
  }

  /// Has it take another key, as a person would.
  public synchronized JoinCommandResult rotateKey() {
    return runLauncher("", "rotate");
  }

  private JoinCommandResult runLauncher(String input, String... words) {
    config.markAsJoining();
    power.prepareManualStart();
    writeFiles();
    return JoinCommandResult.run(context(), agent.launcherCommand(words), environment, input);
  }

  /// The agent's configuration, as of its last start or [#writeConfig].
  public Path config() {
    return folder().resolve("agent.json");
  }

  /// Writes what an agent needs on this host without starting one: for those who start it by hand.
  public synchronized void writeConfig() {
    power.prepareManualStart();
    writeFiles();
  }

  @Override
  synchronized LaunchCommand prepareLaunch() {
    power.prepareStart();
    writeFiles();
    return new LaunchCommand(agent.superviseCommand(), Map.copyOf(environment));
  }

  private void writeFiles() {
    PrivateFile.createFolder(folder());
    PrivateFile.createFolder(stateFolder());
    config.packages().keySet().forEach(name -> PrivateFile.createFolder(packageFolder(name)));
    config.write(config(), power.settings());
    ProgramLocator programLocator = stack.programs();
    agent.install(
        initialVersion.orElseGet(programLocator::agentVersion), programLocator.launcher());
    environment.putAll(agent.environment(config(), bootIdFile()));
  }

  @Override
  void onLaunch(Process process) {
    closeHeartbeatWatch();
    configRefusals = configRefusals();
    heartbeatWatch = nats.isRunning() ? new FirstHeartbeatWatch(nats, tenant, id) : null;
    power.watch(process);
  }

  /// An agent serves when it beats; while NATS is away that cannot be seen, and it runs. One that
  /// refuses its configuration never will, however often the launcher starts it.
  @Override
  boolean isReady() {
    FirstHeartbeatWatch awaited = heartbeatWatch;
    if (configRefusals() > configRefusals) {
      throw new StackException(
          "%s refuses its configuration:%n%s".formatted(name(), LogFile.tail(logFile())));
    }
    return awaited == null || awaited.awaitBriefly();
  }

  @Override
  List<ProcessHandle> processes() {
    return tag().processes().stream().filter(agent::owns).toList();
  }

  @Override
  void killLeftovers() {
    tag().killAll(agent::owns);
  }

  /// What a boot empties.
  void clearRunFolder() {
    agent.clearRunFolder();
  }

  /// From now on its configuration is somebody else's.
  synchronized StackHost keepExistingConfig() {
    config.keepExisting();
    return this;
  }

  /// Whether its agent runs, or will again since it reboots.
  synchronized boolean isPoweredOn() {
    return isRunning() || power.isRebooting();
  }

  synchronized void launchAfterReboot() {
    if (power.isRebooting()) {
      launch();
    }
  }

  private long configRefusals() {
    return LogFile.countLinesEndingWith(logFile(), CONFIG_REFUSED);
  }

  void close() {
    power.close();
    closeHeartbeatWatch();
  }

  private synchronized void closeHeartbeatWatch() {
    try {
      if (heartbeatWatch != null) {
        heartbeatWatch.close();
        heartbeatWatch = null;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
