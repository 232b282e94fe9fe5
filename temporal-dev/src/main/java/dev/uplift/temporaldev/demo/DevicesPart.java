package dev.uplift.temporaldev.demo;

import dev.uplift.cli.release.ReleaseSigner;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.text.Screen;
import dev.uplift.cli.text.TextFormat;
import dev.uplift.cli.upgrade.UpgradeResponse;
import dev.uplift.cli.upgrade.UpgradeWatcher;
import dev.uplift.temporaldev.scenario.HostPresenceAwaiter;
import dev.uplift.temporaldev.scenario.PhaseReporter;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.temporaldev.stack.StackHost;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/// Upgrades four devices at once.
final class DevicesPart implements AutoCloseable {
  private static final Duration PRESENCE_TIMEOUT = Duration.ofSeconds(60);
  private static final Duration UPGRADES_TIMEOUT = Duration.ofMinutes(5);

  private final Stack stack;
  private final Screen screen;
  private final PhaseReporter phases;
  private final RestClient rest;
  private final List<DemoDevice> devices = DemoDevice.all();
  private final Map<String, ShopdHost> shops = new LinkedHashMap<>();
  private final HttpClient http = HttpClient.newHttpClient();

  DevicesPart(Stack stack, Screen screen, PhaseReporter phases, RestClient rest) {
    this.stack = stack;
    this.screen = screen;
    this.phases = phases;
    this.rest = rest;
  }

  /// Returns whether every upgrade ended as expected and every host serves the expected version.
  boolean run() {
    phases.run("devices", this::addDevices);
    phases.run("6 hosts", this::startHosts);
    phases.run("releases", this::publish);
    phases.run(
        "presence",
        () ->
            HostPresenceAwaiter.awaitOnline(
                rest, shops::containsKey, shops.size(), PRESENCE_TIMEOUT));
    Map<String, String> before = askAllHosts(DemoDevice::initialShopdVersion);
    screen.printLine("");
    Map<String, String> ids = startUpgrades();
    List<UpgradeResponse> upgrades =
        new UpgradeWatcher(rest, screen).awaitEnd(List.copyOf(ids.values()), UPGRADES_TIMEOUT);
    Map<String, String> after = askAllHosts(DemoDevice::expectedShopdVersion);
    var report = new DevicesReport(devices, before, after, upgrades);
    report.print(screen);
    printLinks(upgrades);
    return report.problems().isEmpty();
  }

  private void printLinks(List<UpgradeResponse> upgrades) {
    screen.printLine("");
    for (UpgradeResponse upgrade : upgrades) {
      screen.printLine("  " + TextFormat.pad(upgrade.device(), 20) + upgrade.temporalLink());
    }
  }

  private String startHosts() {
    var hostJoiner = new HostJoiner(rest);
    for (DemoDevice device : devices) {
      for (String name : device.hosts()) {
        StackHost stackHost =
            AgentsPart.upgradableHost(stack, name).withRebootDuration(Duration.ofSeconds(2));
        shops.put(
            name,
            device.isKiosk()
                ? ShopdHost.withKioskImage(stackHost, "7.1", device.initialShopdVersion())
                : ShopdHost.withBundle(stackHost, device.initialShopdVersion()));
        hostJoiner.add(device.name(), stackHost);
      }
    }
    hostJoiner.join();
    shops.values().forEach(shopdHost -> shopdHost.host().launch());
    shops.values().forEach(shopdHost -> shopdHost.host().awaitReady());
    return "joined, each with a token and a key of its own, in "
        + stack.folder().resolve("hosts").resolve(Demo.TENANT);
  }

  private String addDevices() {
    for (DemoDevice device : devices) {
      new DemoDevices(rest).add(device.name(), device.hosts());
    }
    return String.join(", ", devices.stream().map(DemoDevice::name).toList());
  }

  private String publish() {
    var key = ReleaseSigner.read(stack.secrets().releaseKeyFile());
    new DemoReleases(rest, key, stack.folder().resolve("releases")).publishAll();
    return "signed by " + key.keyId();
  }

  /// Requests the version of every host over the network.
  private Map<String, String> askAllHosts(Function<DemoDevice, String> expected) {
    Map<String, String> served = new LinkedHashMap<>();
    for (DemoDevice device : devices) {
      for (String host : device.hosts()) {
        ShopdHost shopdHost = Objects.requireNonNull(shops.get(host));
        String version =
            shopdHost.awaitVersion(http, expected.apply(device), Duration.ofSeconds(10));
        served.put(host, version);
        screen.printLine("  %-12s serves shopd %s  %s".formatted(host, version, shopdHost.url()));
      }
    }
    return served;
  }

  private Map<String, String> startUpgrades() {
    Map<String, String> ids = new LinkedHashMap<>();
    for (DemoDevice device : devices) {
      String id = "demo-" + device.name();
      new DemoDevices(rest)
          .startUpgrade(id, device.name(), device.packageName(), device.targetVersion());
      ids.put(device.name(), id);
    }
    return ids;
  }

  @Override
  public void close() {
    http.close();
  }
}
