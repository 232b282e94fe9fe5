package dev.uplift.api.rollouts;

import dev.uplift.api.server.Answer;
import dev.uplift.api.server.Home;
import dev.uplift.api.server.Tenant;
import dev.uplift.fleet.HostId;
import dev.uplift.store.Beat;
import dev.uplift.store.Hosts;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/// Devices `d0`, `d1`, … of a tenant, each with one host `h0`, `h1`, …, on which shopd 1.0 runs;
/// the first half of them in the north, the others in the south.
record Fleet(Tenant tenant, int devices) {
  static Fleet of(Tenant tenant, int devices) {
    var fleet = new Fleet(tenant, devices);
    Home home = tenant.server().home();
    fleet.publish(home.release("shopd", "1.0", 10));
    fleet.publish(home.release("shopd", "2.0", 20));
    for (int i = 0; i < devices; i++) {
      String region = i < devices / 2 ? "north" : "south";
      fleet.put(i, "\"labels\":{\"region\":\"%s\"}".formatted(region));
      fleet.runs(i, "1.0");
    }
    return fleet;
  }

  void publish(String release) {
    tenant.admin().send("POST", tenant.path("releases"), release).is(201);
  }

  /// @param more fields of it
  void put(int device, String more) {
    tenant
        .admin()
        .send(
            "PUT",
            tenant.path("devices/d" + device),
            "{\"hosts\":[\"h%d\"],%s}".formatted(device, more))
        .is(201);
  }

  void runs(int device, String version) {
    var beat =
        new Beat(
            tenant.name(),
            new HostId("h" + device),
            "i-1",
            "boot-1",
            "running",
            Map.of("shopd", version),
            Instant.now());
    tenant.server().bean(Hosts.class).heard(List.of(beat));
  }

  Answer validate(String plan) {
    return post("rollouts?validate=true", plan);
  }

  Answer create(String plan) {
    return post("rollouts", plan);
  }

  private Answer post(String path, String plan) {
    return tenant.operator().with("Idempotency-Key", "north").send("POST", tenant.path(path), plan);
  }
}
