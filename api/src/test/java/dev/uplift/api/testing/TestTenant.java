package dev.uplift.api.testing;

/// A tenant, with clients of each role.
public record TestTenant(TestServer server, String name) {
  public TestClient viewer() {
    return server.clientWithRole("viewer", name);
  }

  public TestClient operator() {
    return server.clientWithRole("operator", name);
  }

  public TestClient admin() {
    return server.clientWithRole("admin", name);
  }

  public String path(String below) {
    return "/v1/tenants/" + name + "/" + below;
  }

  /// Creates a device with these hosts.
  public void putDevice(String device, String... hosts) {
    admin()
        .send("PUT", path("devices/" + device), "{\"hosts\":[\"" + String.join("\",\"", hosts) + "\"]}")
        .expectStatus(201);
  }
}
