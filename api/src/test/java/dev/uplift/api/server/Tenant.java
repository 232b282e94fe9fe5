package dev.uplift.api.server;

/// A tenant, and people of it.
public record Tenant(TestServer server, String name) {
  public Client viewer() {
    return server.anyone("viewer", name);
  }

  public Client operator() {
    return server.anyone("operator", name);
  }

  public Client admin() {
    return server.anyone("admin", name);
  }

  public String path(String below) {
    return "/v1/tenants/" + name + "/" + below;
  }

  /// A device with these hosts.
  public void device(String device, String... hosts) {
    admin()
        .send(
            "PUT",
            path("devices/" + device),
            "{\"hosts\":[\"" + String.join("\",\"", hosts) + "\"]}")
        .is(201);
  }
}
