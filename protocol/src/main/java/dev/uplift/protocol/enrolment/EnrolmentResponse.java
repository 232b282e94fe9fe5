package dev.uplift.protocol.enrolment;

import dev.uplift.protocol.FieldLimits;
import dev.uplift.protocol.json.JsonObject;
import dev.uplift.protocol.json.JsonWriter;
import java.util.SortedMap;
import java.util.TreeMap;

/// The credentials and addresses of a host that has enrolled or renewed.
///
/// @param serverUrl where it renews its user JWT
/// @param natsUrls addresses, separated by commas
/// @param jwt its NATS user JWT
/// @param caCertificates the authorities (PEM) of server and NATS; empty if the usual ones are enough
/// @param trust files, by name: [#ROOT_FILE] and [#ROOT_SIGNATURE_FILE], the newest root of the tenant and its
///   signatures
/// @param rotateKey whether it has to generate a new key soon
public record EnrolmentResponse(
    String tenant,
    String host,
    String serverUrl,
    String natsUrls,
    String jwt,
    String caCertificates,
    SortedMap<String, String> trust,
    boolean rotateKey) {
  public static final String ROOT_FILE = "root.json";
  public static final String ROOT_SIGNATURE_FILE = "root.sig";

  public EnrolmentResponse {
    FieldLimits.requireTenant("tenant", tenant);
    FieldLimits.requireHost("host", host);
    ServerAddress.requireHttps("server_url", serverUrl);
    ServerAddress.requireTls("nats_urls", natsUrls);
    trust = new TreeMap<>(trust);
  }

  /// The same with this root, and without signatures.
  public EnrolmentResponse withRoot(String root) {
    var only = new TreeMap<String, String>();
    only.put(ROOT_FILE, root);
    return new EnrolmentResponse(tenant, host, serverUrl, natsUrls, jwt, caCertificates, only, rotateKey);
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
