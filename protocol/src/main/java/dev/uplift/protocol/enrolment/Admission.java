package dev.uplift.protocol.enrolment;

import dev.uplift.protocol.Bounds;
import dev.uplift.protocol.Fields;
import dev.uplift.protocol.Json;
import java.util.SortedMap;
import java.util.TreeMap;

/// What a host is given that may join, or stay.
///
/// @param server where it asks for its next ticket
/// @param nats addresses, separated by commas
/// @param jwt its ticket
/// @param authorities certificates (PEM) of who vouches for server and NATS; empty where the usual
///   ones do
/// @param trust files, by name, that say whose signatures count
/// @param rotate whether it is to take a new key soon
public record Admission(
    String tenant,
    String host,
    String server,
    String nats,
    String jwt,
    String authorities,
    SortedMap<String, String> trust,
    boolean rotate) {
  public Admission {
    Bounds.tenant("tenant", tenant);
    Bounds.host("host", host);
    trust = new TreeMap<>(trust);
  }

  public byte[] write() {
    return Json.object(json ->
        json.put("tenant", tenant)
            .put("host", host)
            .put("server", server)
            .put("nats", nats)
            .put("jwt", jwt)
            .putUnlessEmpty("ca", authorities)
            .put("trust", trust)
            .put("rotate", rotate));
  }

  public static Admission read(byte[] json) {
    Fields in = Fields.of(json);
    return new Admission(
        in.text("tenant"),
        in.text("host"),
        in.text("server"),
        in.text("nats"),
        in.text("jwt"),
        in.textOr("ca", ""),
        in.textsOr("trust", new TreeMap<>()),
        in.flagOr("rotate", false));
  }

  @Override
  public String toString() {
    return "admission of %s of %s".formatted(host, tenant);
  }
}
