package dev.uplift.cli.demo;

import dev.uplift.cli.local.Heard;
import dev.uplift.cli.local.Phases;
import dev.uplift.cli.release.ReleaseKey;
import dev.uplift.cli.rest.Rest;
import dev.uplift.cli.text.Screen;
import dev.uplift.cli.text.Text;
import dev.uplift.cli.upgrade.UpgradeView;
import dev.uplift.cli.upgrade.Watch;
import dev.uplift.temporaldev.Host;
import dev.uplift.temporaldev.Stack;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/// Four devices, upgraded at once.
final class DevicesPart implements AutoCloseable {
  private static final Duration READY = Duration.ofSeconds(60);
  private static final Duration DONE = Duration.ofMinutes(5);

  private final Stack stack;
  private final Screen screen;
  private final Phases phases;
  private final Rest rest;
  private final List<DemoDevice> devices = DemoDevice.all();
  private final Map<String, Shop> shops = new LinkedHashMap<>();
  private final HttpClient http = HttpClient.newHttpClient();

  DevicesPart(Stack stack, Screen screen, Phases phases, Rest rest) {
    this.stack = stack;
    this.screen = screen;
    this.phases = phases;
    this.rest = rest;
  }

  /// Returns whether every device ended as it should, and serves what it should.
  boolean play() {
    phases.run("devices", this::addDevices);
    phases.run("6 hosts", this::startHosts);
    phases.run("releases", this::publish);
    phases.run("presence", () -> Heard.await(rest, shops::containsKey, shops.size(), READY));
    Map<String, String> before = ask(DemoDevice::servesBefore);
    screen.say("");
    Map<String, String> ids = start();
    List<UpgradeView> ended = new Watch(rest, screen).untilEnded(List.copyOf(ids.values()), DONE);
    Map<String, String> after = ask(DemoDevice::servesAfter);
    var report = new DemoReport(devices, before, after, ended);
    report.show(screen);
    sayWhereToLook(ended);
    return report.faults().isEmpty();
  }

  private void sayWhereToLook(List<UpgradeView> ended) {
    screen.say("");
    for (UpgradeView upgrade : ended) {
      screen.say("  " + Text.pad(upgrade.device(), 20) + upgrade.link());
    }
  }

  private String startHosts() {
    var newcomers = new Newcomers(rest);
    for (DemoDevice device : devices) {
      for (String name : device.hosts()) {
        Host host = AgentsPart.host(stack, name).staysAway(Duration.ofSeconds(2));
        shops.put(
            name,
            device.hasSlots()
                ? Shop.withSlots(host, "7.1", device.servesBefore())
                : Shop.withBundle(host, device.servesBefore()));
        newcomers.add(device.name(), host);
      }
    }
    newcomers.join();
    shops.values().forEach(shop -> shop.host().launch());
    shops.values().forEach(shop -> shop.host().awaitReady());
    return "joined with a token and a key of their own each, in "
        + stack.folder().resolve("hosts").resolve(Demo.TENANT);
  }

  private String addDevices() {
    for (DemoDevice device : devices) {
      new Devices(rest).add(device.name(), device.hosts());
    }
    return String.join(", ", devices.stream().map(DemoDevice::name).toList());
  }

  private String publish() {
    var key = ReleaseKey.read(stack.secrets().releaseKey());
    new Releases(rest, key, stack.folder().resolve("releases")).publishAll();
    return "signed by " + key.id();
  }

  /// Asks every host over the network.
  private Map<String, String> ask(Function<DemoDevice, String> expected) {
    Map<String, String> served = new LinkedHashMap<>();
    for (DemoDevice device : devices) {
      for (String host : device.hosts()) {
        Shop shop = Objects.requireNonNull(shops.get(host));
        String version = shop.servesWithin(http, expected.apply(device), Duration.ofSeconds(10));
        served.put(host, version);
        screen.say("  %-12s serves shopd %s  %s".formatted(host, version, shop.url()));
      }
    }
    return served;
  }

  private Map<String, String> start() {
    Map<String, String> ids = new LinkedHashMap<>();
    for (DemoDevice device : devices) {
      String id = "demo-" + device.name();
      new Devices(rest).upgrade(id, device.name(), device.packageName(), device.target());
      ids.put(device.name(), id);
    }
    return ids;
  }

  @Override
  public void close() {
    http.close();
  }
}
