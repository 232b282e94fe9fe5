package dev.uplift.api.rollouts;

import dev.uplift.api.testing.ServerHome;
import dev.uplift.api.testing.TestResponse;
import dev.uplift.api.testing.TestTenant;
import dev.uplift.fleet.HostId;
import dev.uplift.store.device.HeartbeatRow;
import dev.uplift.store.device.HostRepository;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/// Devices `d0`, `d1`, … of a tenant, each with one host `h0`, `h1`, …, on which shopd 1.0 runs; the first half of them
/// in the north, the others in the south.
public record TestFleet(TestTenant tenant, int devices) {
  public static TestFleet of(TestTenant testTenant, int devices) {
    var testFleet = new TestFleet(testTenant, devices);
    ServerHome serverHome = testTenant.server().home();
    testFleet.publish(serverHome.release("shopd", "1.0", 10));
    testFleet.publish(serverHome.release("shopd", "2.0", 20));
    for (int i = 0; i < devices; i++) {
      String region = i < devices / 2 ? "north" : "south";
      testFleet.putDevice(i, "\"labels\":{\"region\":\"%s\"}".formatted(region));
      testFleet.reportVersion(i, "1.0");
    }
    return testFleet;
  }

  public void publish(String release) {
    tenant.admin().send("POST", tenant.path("releases"), release).expectStatus(201);
  }

  /// @param more further fields
  void putDevice(int device, String more) {
    tenant
        .admin()
        .send("PUT", tenant.path("devices/d" + device), "{\"hosts\":[\"h%d\"],%s}".formatted(device, more))
        .expectStatus(201);
  }

  public void reportVersion(int device, String version) {
    var heartbeatRow =
        new HeartbeatRow(
            tenant.name(),
            new HostId("h" + device),
            "i-1",
            "boot-1",
            "running",
            Map.of("shopd", version),
            Instant.now());
    tenant.server().bean(HostRepository.class).recordHeartbeats(List.of(heartbeatRow));
  }

  TestResponse validate(String plan) {
    return post("rollouts?validate=true", plan);
  }

  TestResponse create(String plan) {
    return post("rollouts", plan);
  }

  private TestResponse post(String path, String plan) {
    return tenant.operator().withHeader("Idempotency-Key", "north").send("POST", tenant.path(path), plan);
  }
}
