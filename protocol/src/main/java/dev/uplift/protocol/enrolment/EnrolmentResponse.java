package dev.uplift.protocol.enrolment;

import dev.uplift.protocol.FieldLimits;
import dev.uplift.protocol.json.JsonObject;
import dev.uplift.protocol.json.JsonWriter;
import java.util.SortedMap;
import java.util.TreeMap;

/// What a host is given that may join, or stay.
///
/// @param serverUrl where it asks for its next ticket
/// @param natsUrls addresses, separated by commas
/// @param jwt its ticket
/// @param caCertificates certificates (PEM) of who vouches for server and NATS; empty where the
///   usual ones do
/// @param trust files, by name, that say whose signatures count
/// @param rotateKey whether it is to take a new key soon
public record EnrolmentResponse(
    String tenant,
    String host,
    String serverUrl,
    String natsUrls,
    String jwt,
    String caCertificates,
    SortedMap<String, String> trust,
    boolean rotateKey) {
  public EnrolmentResponse {
    FieldLimits.requireTenant("tenant", tenant);
    FieldLimits.requireHost("host", host);
    trust = new TreeMap<>(trust);
  }

  public byte[] write() {
    return JsonWriter.toBytes(jsonWriter ->
        jsonWriter
            .put("tenant", tenant)
            .put("host", host)
            .put("server_url", serverUrl)
            .put("nats_urls", natsUrls)
            .put("jwt", jwt)
            .putUnlessEmpty("ca_certificates", caCertificates)
            .put("trust", trust)
            .put("rotate_key", rotateKey));
  }

  public static EnrolmentResponse read(byte[] json) {
    JsonObject in = JsonObject.parse(json);
    return new EnrolmentResponse(
        in.string("tenant"),
        in.string("host"),
        in.string("server_url"),
        in.string("nats_urls"),
        in.string("jwt"),
        in.stringOr("ca_certificates", ""),
        in.stringMapOr("trust", new TreeMap<>()),
        in.booleanOr("rotate_key", false));
  }

  @Override
  public String toString() {
    return "admission of %s of %s".formatted(host, tenant);
  }
}
