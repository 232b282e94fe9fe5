package dev.uplift.temporaldev.stack;

import dev.uplift.cli.file.PrivateFile;
import dev.uplift.temporaldev.process.LogFile;
import dev.uplift.temporaldev.process.ProcessTag;
import dev.uplift.temporaldev.process.StackException;
import dev.uplift.temporaldev.programs.AgentInstallFolder;
import dev.uplift.temporaldev.programs.AgentVersion;
import dev.uplift.temporaldev.programs.ProgramLocator;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A host, simulated by a folder, and its agent, a process. Everything that the agent starts, also detached services,
/// belongs to that host and ends with it.
///
/// The agent is installed in `uplift-agent` as on a device and runs behind its launcher, which restarts it. *start*,
/// *stop* and *kill* concern only the launcher and the agents that it has started. The host *reboots* when the agent
/// runs the reboot command of its configuration, or by [#powerCycle]: everything on it is killed, and after a while it
/// returns with another boot id, runs its boot command and starts its launcher. An interrupted reboot is completed at
/// the next start.
public final class StackHost extends StackProcess {
  /// Log line of the launcher.
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

  /// Adds a package of a kind with the settings of its driver. The default of `folder` is `packages/<name>` in the
  /// host's folder, or for kind `agent` the folder of its agent. Effective from the next start on.
  public synchronized StackHost withPackage(String name, String kind, Map<String, String> settings) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("kind", kind);
    all.put("folder", (kind.equals("agent") ? agent.root() : packageFolder(name)).toString());
    all.putAll(settings);
    config.packages().put(name, all);
    return this;
  }

  /// Adds its agent as the package `uplift-agent`, so that it can be upgraded.
  public StackHost withUpgradableAgent(Map<String, String> settings) {
    return withPackage("uplift-agent", "agent", settings);
  }

  /// Sets its first agent version, instead of [Stack#agentVersion].
  public synchronized StackHost withAgentVersion(AgentVersion version) {
    initialVersion = Optional.of(version);
    return this;
  }

  /// Returns the folder of its agent; on a device `/opt/uplift-agent`.
  public Path agentFolder() {
    return agent.root();
  }

  /// Returns its running agents by version: one, or two during a handover.
  public Map<String, ProcessHandle> agents() {
    return agent.runningAgents(tag()::isCarriedBy);
  }

  /// Kills one of its agents with `kill -9`, if it runs. The launcher notices that.
  public void killAgent(String version) {
    Optional.ofNullable(agents().get(version)).ifPresent(ProcessTag::kill);
  }

  /// Kills only the launcher with `kill -9`: agents are not supervised until it runs again.
  public void killLauncher() {
    ProcessHandle.of(pid()).ifPresent(ProcessTag::kill);
  }

  /// Returns the port of a service of this host, which never changes.
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

  /// Sets a variable of the environment of its launcher from its next start on.
  public synchronized StackHost environment(String name, String text) {
    environment.put(name, text);
    return this;
  }

  /// Sets the command that runs at boot before the launcher: the services of its packages.
  public StackHost onBoot(String... command) {
    power.bootCommand(List.of(command));
    return this;
  }

  /// Sets the duration of a reboot; default: half a second.
  public StackHost withRebootDuration(Duration duration) {
    power.setRebootDuration(duration);
    return this;
  }

  /// Lets the next reboot switch it off, until [#powerOn].
  public StackHost staysOffAfterReboot() {
    power.stayOffAfterReboot();
    return this;
  }

  /// Kills everything on it, like a power cut.
  public void powerOff() {
    power.powerOff();
  }

  /// Boots it with another boot id and starts its agent. Blocks until the agent is ready.
  public void powerOn() {
    power.powerOn();
    awaitReady();
  }

  /// Switches it off and on.
  public void powerCycle() {
    powerOff();
    powerOn();
  }

  /// Blocks until it has another boot id than the given one, and its agent is ready.
  public void awaitReboot(String bootIdBefore, Duration timeout) {
    power.awaitReboot(bootIdBefore, timeout);
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

  /// Returns the NATS credentials of its agent.
  public Path credentialsFile() {
    return config.credentials();
  }

  /// Lets it join the fleet with this token, in place of its previous identity. Does not start its agent.
  public synchronized JoinCommandResult join(String token) {
    return runLauncher(token, "join", "--no-start", "-");
  }

  /// As [#join], but the launcher also starts its agent, which ends only with the host: [#powerOff].
  public synchronized JoinCommandResult joinAndStart(String token) {
    return runLauncher(token, "join", "-");
  }

  /// Lets it replace its key, as an operator would.
  public synchronized JoinCommandResult rotateKey() {
    return runLauncher("", "rotate");
  }

  /// Runs the command `hold` with these words, as the owner of the host would.
  public synchronized JoinCommandResult hold(String... words) {
    return runCommand("", Stream.concat(Stream.of("hold"), Stream.of(words)).toArray(String[]::new));
  }

  private JoinCommandResult runLauncher(String input, String... words) {
    config.markAsJoining();
    return runCommand(input, words);
  }

  private JoinCommandResult runCommand(String input, String... words) {
    power.prepareManualStart();
    writeFiles();
    return JoinCommandResult.run(context(), agent.launcherCommand(words), environment, input);
  }

  /// Returns the file of the agent's configuration, written at each start and by [#writeConfig].
  public Path config() {
    return folder().resolve("agent.json");
  }

  /// Writes all files that an agent needs on this host, for a start by hand.
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
    agent.install(initialVersion.orElseGet(programLocator::agentVersion), programLocator.launcher());
    environment.putAll(agent.environment(config(), bootIdFile()));
  }

  @Override
  void onLaunch(Process process) {
    closeHeartbeatWatch();
    configRefusals = configRefusals();
    heartbeatWatch = nats.isRunning() ? new FirstHeartbeatWatch(nats, tenant, id) : null;
    power.watch(process);
  }

  /// An agent is ready at its first heartbeat; without NATS as soon as it runs. Throws if it rejects its configuration,
  /// because restarts by the launcher do not change that.
  @Override
  boolean isReady() {
    FirstHeartbeatWatch awaited = heartbeatWatch;
    if (configRefusals() > configRefusals) {
      throw new StackException("%s rejects its configuration:%n%s".formatted(name(), LogFile.tail(logFile())));
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

  /// Deletes the files that a boot deletes.
  void clearRunFolder() {
    agent.clearRunFolder();
  }

  /// Leaves an existing configuration unchanged from now on.
  synchronized StackHost keepExistingConfig() {
    config.keepExisting();
    return this;
  }

  /// Returns whether its agent runs, or will after a reboot in progress.
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
    if (heartbeatWatch != null) {
      heartbeatWatch.close();
      heartbeatWatch = null;
    }
  }
}
