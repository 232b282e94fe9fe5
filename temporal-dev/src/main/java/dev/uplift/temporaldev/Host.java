package dev.uplift.temporaldev;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A host that is played by a folder, and its agent, a process. Whatever the agent starts, detached
/// services too, is on that host, and ends with it.
///
/// To *start*, *stop* or *kill* it concerns the agent alone. The host *reboots* when the agent runs
/// the reboot command of its configuration, or by [#powerCycle]: all that runs on it is killed, and
/// after a while it comes back with another boot id, does what it does at boot, and starts its
/// agent. A reboot that was broken off half way, by the death of all of us, is made good at the
/// next start.
public final class Host extends Part {
  private final Shared stack;
  private final Nats nats;
  private final String tenant;
  private final String id;
  private final Map<String, Map<String, String>> packages = new LinkedHashMap<>();
  private final Map<String, Object> wishes = new LinkedHashMap<>();
  private final Power power;
  private @Nullable Beats beats;
  private boolean keepsConfig;
  private boolean joins;

  Host(Seat seat, Shared stack, Nats nats, String tenant, String id) {
    super(seat);
    this.stack = stack;
    this.nats = nats;
    this.tenant = tenant;
    this.id = id;
    this.power = new Power(this, seat.tag());
  }

  public String tenant() {
    return tenant;
  }

  /// The host id.
  public String id() {
    return id;
  }

  /// Gives it a package of a kind, with its driver's settings. Where these name no `folder`, it is
  /// `packages/<name>` in the host's. In force from the next start on.
  public synchronized Host has(String name, String kind, Map<String, String> settings) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("kind", kind);
    all.put("folder", packageFolder(name).toString());
    all.putAll(settings);
    packages.put(name, all);
    return this;
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
    wishes.put(field, value);
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

  /// Returns when it has come back from a reboot, and its agent serves: the boot id differs from
  /// the one given.
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
    return folder().resolve(joins ? "identity/credentials" : "credentials");
  }

  /// Has it join the fleet with this token, as a person would have it: what it was given before is
  /// of no use to it any more. Returns the code that the program ended with, and what it printed.
  public synchronized Joined join(String token) {
    joins = true;
    power.prepare();
    return run(token, "join", "-");
  }

  /// Has it take another key, as a person would.
  public synchronized Joined rotate() {
    return run("", "rotate");
  }

  private Joined run(String input, String... words) {
    List<String> command = launchOf().command();
    List<String> all = new ArrayList<>(command.subList(0, command.size() - 2));
    all.addAll(List.of(words));
    all.addAll(List.of("--config", config().toString()));
    return Joined.of(all, input);
  }

  /// The agent's configuration, as of its last start or [#configure].
  public Path config() {
    return folder().resolve("agent.json");
  }

  /// Writes what an agent needs on this host without starting one: for those who start it by hand,
  /// with the command that this returns.
  public synchronized List<String> configure() {
    power.prepare();
    return launchOf().command();
  }

  @Override
  synchronized Launch prepare() {
    power.prepareStart();
    return launchOf();
  }

  private Launch launchOf() {
    PrivateFile.folder(folder());
    PrivateFile.folder(stateFolder());
    packages.keySet().forEach(name -> makeFolder(packageFolder(name)));
    if (!keepsConfig || !Files.exists(config())) {
      PrivateFile.write(config(), Json.indented(settings()));
    }
    List<String> java = new ArrayList<>(seat().withinFolder());
    java.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx64m"));
    return new Launch(
        Programs.java(
            java,
            stack.programs().agent(),
            stack.programs().agentMain(),
            List.of("--config", config().toString())));
  }

  private static void makeFolder(Path folder) {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Map<String, Object> settings() {
    Map<String, Object> settings = new LinkedHashMap<>();
    if (!joins) {
      settings.put("tenant", tenant);
      settings.put("host", id);
      settings.put("nats", nats.url());
      settings.put("credentials_file", nats.realm().host(credentials(), tenant, id).toString());
      settings.put("trust_folder", stack.secrets().trust(tenant).toString());
      if (stack.isSecured()) {
        settings.put("ca_file", stack.secrets().certificates().authority().toString());
      }
    }
    settings.put("state_folder", stateFolder().toString());
    settings.put("boot_id_file", power.bootIdFile().toString());
    settings.put("reboot_command", List.of("/bin/sh", power.script().toString()));
    settings.put("beat_s", 1);
    settings.put("packages", packages);
    settings.putAll(wishes);
    return settings;
  }

  @Override
  void launched(Process process) {
    forgetBeats();
    beats = nats.isRunning() ? new Beats(nats, tenant, id) : null;
    power.watch(process);
  }

  /// An agent serves when it beats; while NATS is away that cannot be seen, and it runs.
  @Override
  boolean isReady() {
    Beats awaited = beats;
    return awaited == null || awaited.hasCome();
  }

  /// From now on its configuration is somebody else's, and not written again.
  synchronized Host keepsConfig() {
    keepsConfig = true;
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
