package dev.uplift.temporaldev.demo;

import dev.uplift.cli.upgrade.UpgradeResponse;
import dev.uplift.temporaldev.stack.StackHost;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Upgrades four devices at once.
final class DevicesPart implements AutoCloseable {
  private static final Duration REBOOT_DURATION = Duration.ofSeconds(2);

  private final DemoContext demo;
  private final List<DemoDevice> devices = DemoDevice.withService();
  private final Map<String, ShopdHost> shops = new LinkedHashMap<>();
  private final HttpClient http = HttpClient.newHttpClient();

  DevicesPart(DemoContext demo) {
    this.demo = demo;
  }

  /// Returns whether every upgrade ended as expected and every host serves the expected version.
  boolean run() {
    demo.phases().run("devices", () -> demo.addDevices(devices));
    demo.phases().run("6 hosts", this::startHosts);
    demo.phases().run("releases", () -> "signed by " + demo.releases().publishAll());
    demo.phases().run("presence", () -> demo.awaitOnline(shops::containsKey, shops.size()));
    Map<String, String> before = askAllHosts(DemoDevice::initialVersion);
    demo.screen().printLine("");
    List<UpgradeResponse> upgrades = demo.upgrade("demo-", devices);
    Map<String, String> after = askAllHosts(DemoDevice::expectedVersion);
    return report(devices, before, after, upgrades)
        .print(demo.screen(), "every device ended as expected and serves the expected version");
  }

  /// @param before version of shopd by host before
  /// @param after version of shopd by host afterwards
  static UpgradeReport report(
      List<DemoDevice> devices, Map<String, String> before, Map<String, String> after, List<UpgradeResponse> upgrades) {
    return new UpgradeReport(
        "SHOPD",
        devices,
        upgrades,
        before,
        after,
        (device, host) -> {
          List<String> problems = new ArrayList<>();
          check(problems, host + " served", before.get(host), device.initialVersion());
          check(problems, host + " serves", after.get(host), device.expectedVersion());
          return problems;
        });
  }

  private static void check(List<String> problems, String what, @Nullable String version, String expected) {
    if (!expected.equals(version)) {
      problems.add("%s shopd %s, expected %s".formatted(what, version, expected));
    }
  }

  private String startHosts() {
    for (DemoDevice device : devices) {
      for (String name : device.hosts()) {
        StackHost host = demo.host(name).withRebootDuration(REBOOT_DURATION);
        shops.put(
            name,
            device.isKiosk()
                ? ShopdHost.withKioskImage(host, "7.1", device.initialVersion())
                : ShopdHost.withBundle(host, device.initialVersion()));
      }
    }
    demo.startHosts(devices);
    return "joined, each with a token and a key of its own, in "
        + demo.stack().folder().resolve("hosts").resolve(DemoContext.TENANT);
  }

  /// Requests the version of every host over the network.
  private Map<String, String> askAllHosts(Function<DemoDevice, String> expected) {
    Map<String, String> served = new LinkedHashMap<>();
    for (DemoDevice device : devices) {
      for (String name : device.hosts()) {
        ShopdHost host = Objects.requireNonNull(shops.get(name));
        String version = host.awaitVersion(http, expected.apply(device), Duration.ofSeconds(10));
        served.put(name, version);
        demo.screen().printLine("  %-12s serves shopd %s  %s".formatted(name, version, host.url()));
      }
    }
    return served;
  }

  @Override
  public void close() {
    http.close();
  }
}
