package dev.uplift.cli.demo;

import dev.uplift.cli.local.Pause;
import dev.uplift.cli.local.Phases;
import dev.uplift.cli.local.Servers;
import dev.uplift.cli.release.ReleaseKey;
import dev.uplift.cli.rest.CommandFailed;
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
import tools.jackson.databind.node.ObjectNode;

/// Four devices, upgraded at once on a stack that nothing else has been done on.
final class Demo implements AutoCloseable {
  static final String TENANT = "acme";

  private static final Duration READY = Duration.ofSeconds(60);
  private static final Duration DONE = Duration.ofMinutes(5);

  private final Stack stack;
  private final Screen screen;
  private final Phases phases;
  private final Servers servers;
  private final List<DemoDevice> devices = DemoDevice.all();
  private final Map<String, Shop> shops = new LinkedHashMap<>();
  private final HttpClient http = HttpClient.newHttpClient();

  Demo(Stack stack, Screen screen) {
    this.stack = stack;
    this.screen = screen;
    this.phases = new Phases(screen);
    this.servers = new Servers(stack, phases);
  }

  /// Returns whether every device ended as it should, and serves what it should.
  boolean run() {
    startServers();
    try (Rest rest = servers.rest(TENANT)) {
      phases.run("6 hosts", this::startHosts);
      phases.run("devices", () -> addDevices(rest));
      phases.run("releases", () -> publish(rest));
      phases.run("presence", () -> awaitPresence(rest));
      Map<String, String> before = ask(DemoDevice::servesBefore);
      screen.say("");
      Map<String, String> ids = start(rest);
      List<UpgradeView> ended = new Watch(rest, screen).untilEnded(List.copyOf(ids.values()), DONE);
      Map<String, String> after = ask(DemoDevice::servesAfter);
      var report = new DemoReport(devices, before, after, ended);
      report.show(screen);
      sayWhereToLook(ended);
      return report.faults().isEmpty();
    }
  }

  private void sayWhereToLook(List<UpgradeView> ended) {
    screen.say("");
    screen.say("  REST documentation  " + servers.documentation());
    screen.say("  tokens              " + stack.tokens().folder());
    screen.say("  Temporal Web UI     " + stack.temporal().ui());
    for (UpgradeView upgrade : ended) {
      screen.say("  " + Text.pad("  " + upgrade.device(), 20) + upgrade.link());
    }
    screen.say("");
  }

  /// What takes minutes in the field takes seconds here.
  private void startServers() {
    stack
        .server()
        .with("UPLIFT_PACE_RESEND", "PT5S")
        .with("UPLIFT_PACE_AWAIT_HEARTBEAT", "PT60S")
        .with("UPLIFT_SILENT_AFTER", "PT20S");
    servers.start();
  }

  private String startHosts() {
    for (DemoDevice device : devices) {
      for (String name : device.hosts()) {
        Host host = stack.host(TENANT, name).staysAway(Duration.ofSeconds(2));
        shops.put(
            name,
            device.hasSlots()
                ? Shop.withSlots(host, "7.1", device.servesBefore())
                : Shop.withBundle(host, device.servesBefore()));
        host.launch();
      }
    }
    shops.values().forEach(shop -> shop.host().awaitReady());
    return "an agent each, in " + stack.folder().resolve("hosts").resolve(TENANT);
  }

  private String addDevices(Rest rest) {
    rest.putTenant();
    for (DemoDevice device : devices) {
      ObjectNode body = Rest.JSON.createObjectNode();
      device.hosts().forEach(body.putArray("hosts")::add);
      body.putObject("labels").put("demo", "yes");
      body.put("zone", "Europe/Berlin");
      var _ = rest.send("PUT", "devices/" + device.name(), body);
    }
    return String.join(", ", devices.stream().map(DemoDevice::name).toList());
  }

  private String publish(Rest rest) {
    var key = ReleaseKey.read(stack.secrets().releaseKey());
    new Releases(rest, key, stack.folder().resolve("releases")).publishAll();
    return "signed by " + key.id();
  }

  /// Until the server itself has heard every host, an upgrade would have to wait for it.
  private String awaitPresence(Rest rest) {
    long until = System.nanoTime() + READY.toNanos();
    while (true) {
      long running =
          rest.all("hosts", Map.of())
              .valueStream()
              .filter(host -> host.path("presence").asString("").equals("running"))
              .count();
      if (running == shops.size()) {
        return running + " hosts are heard";
      }
      if (System.nanoTime() > until) {
        throw new CommandFailed(
            CommandFailed.REFUSED, "only " + running + " of " + shops.size() + " hosts are heard");
      }
      Pause.of(Duration.ofMillis(100));
    }
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

  private Map<String, String> start(Rest rest) {
    Map<String, String> ids = new LinkedHashMap<>();
    for (DemoDevice device : devices) {
      String id = "demo-" + device.name();
      var body =
          Rest.JSON
              .createObjectNode()
              .put("package", device.packageName())
              .put("version", device.target());
      var _ =
          rest.send(
              "POST",
              "devices/" + device.name() + "/upgrades",
              body,
              Map.of("Idempotency-Key", id));
      ids.put(device.name(), id);
    }
    return ids;
  }

  @Override
  public void close() {
    http.close();
  }
}
