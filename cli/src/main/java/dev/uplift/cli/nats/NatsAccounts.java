package dev.uplift.cli.nats;

import dev.uplift.protocol.Subjects;
import dev.uplift.protocol.json.JsonWriter;
import dev.uplift.protocol.nats.NatsJwt;
import dev.uplift.protocol.nats.Permissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// The NATS accounts and their permissions. One account owns the streams; hosts are in another one that imports only
/// what they need, so that no host can make JetStream respond to a subject of its choice. The permissions of a host
/// within its account are the scope of the key that signs its JWT.
///
/// @param streamsAccount public key of the account that owns the streams
record NatsAccounts(String streamsAccount, Instant now) {
  /// Permissions of the Uplift server: all streams, and all messages of hosts.
  static final Permissions SERVER_PERMISSIONS =
      new Permissions(
          List.of(Subjects.ALL_COMMANDS, Subjects.ALL_ROOTS, "$JS.API.>", "$JS.ACK.>", "$JS.FC.>"),
          List.of("_INBOX.>", "device-heartbeat.>", "device-state.>", "$JS.EVENT.>"),
          -1,
          -1);

  /// Permissions of the Uplift server in the system account: only to update account JWTs.
  static final Permissions CLAIMS_UPDATE_PERMISSIONS =
      new Permissions(List.of("$SYS.REQ.CLAIMS.UPDATE"), List.of("_INBOX.>"), -1, -1);

  private static final List<String> HOST_SERVICES =
      List.of(
          Subjects.ALL_EVENTS,
          Subjects.ALL_INFOS,
          Subjects.ALL_HEARTBEATS,
          Subjects.directGetCommand("*.*"),
          Subjects.directGetInfo("*.*"),
          Subjects.directGetRoot("*", "*"));

  /// @param signing public keys that sign account JWTs
  NatsJwt operatorClaims(String operator, List<String> signing, String system) {
    return claims(
        operator,
        "UPLIFT",
        jsonWriter ->
            jsonWriter
                .put("signing_keys", signing)
                .put("system_account", system)
                .put("type", "operator")
                .put("version", 2));
  }

  /// @param revokedUntil user JWTs issued until then are revoked; 0: none
  NatsJwt systemClaims(String system, long revokedUntil) {
    return claims(system, "SYSTEM", jsonWriter -> accountLimits(withRevocations(jsonWriter, revokedUntil), 0));
  }

  /// @param revokedUntil see [#systemClaims]
  NatsJwt streamsClaims(long revokedUntil) {
    List<Consumer<JsonWriter>> exports = new ArrayList<>();
    exports.add(jsonWriter -> describeExport(jsonWriter, Subjects.ALL_COMMANDS, "stream"));
    HOST_SERVICES.forEach(subject -> exports.add(jsonWriter -> describeExport(jsonWriter, subject, "service")));
    return claims(
        streamsAccount,
        "STREAMS",
        jsonWriter -> accountLimits(withRevocations(jsonWriter.putAll("exports", exports), revokedUntil), -1));
  }

  private static JsonWriter withRevocations(JsonWriter jsonWriter, long until) {
    Consumer<JsonWriter> all = list -> list.put("*", until);
    return until == 0 ? jsonWriter : jsonWriter.put("revocations", all);
  }

  /// @param hosts public keys that sign JWTs of hosts
  /// @param fleet public key that signs JWTs of simulated fleets
  NatsJwt devicesClaims(String devices, List<String> hosts, Optional<String> fleet) {
    List<Consumer<JsonWriter>> imports = new ArrayList<>();
    imports.add(jsonWriter -> describeImport(jsonWriter, Subjects.ALL_COMMANDS, "stream"));
    HOST_SERVICES.forEach(subject -> imports.add(jsonWriter -> describeImport(jsonWriter, subject, "service")));
    List<Consumer<JsonWriter>> scopes = new ArrayList<>();
    hosts.forEach(key -> scopes.add(signingKeyScope(key, "host", Permissions.HOST)));
    fleet.ifPresent(key -> scopes.add(signingKeyScope(key, "fleet", Permissions.FLEET)));
    return claims(
        devices,
        "DEVICES",
        jsonWriter -> accountLimits(jsonWriter.putAll("imports", imports).putAll("signing_keys", scopes), 0));
  }

  private static Consumer<JsonWriter> signingKeyScope(String key, String role, Permissions permissions) {
    Consumer<JsonWriter> template = permissions::write;
    return jsonWriter ->
        jsonWriter.put("kind", "user_scope").put("key", key).put("role", role).put("template", template);
  }

  private static void describeExport(JsonWriter jsonWriter, String subject, String type) {
    jsonWriter.put("name", subject).put("subject", subject).put("type", type);
  }

  private void describeImport(JsonWriter jsonWriter, String subject, String type) {
    describeExport(jsonWriter, subject, type);
    jsonWriter.put("account", streamsAccount);
  }

  /// @param jetStream 0: none, -1: unlimited
  private static void accountLimits(JsonWriter jsonWriter, long jetStream) {
    Consumer<JsonWriter> limits =
        inner -> {
          for (String name : List.of("subs", "data", "payload", "imports", "exports", "conn", "leaf")) {
            inner.put(name, -1);
          }
          inner.put("wildcards", true);
          for (String name : List.of("mem_storage", "disk_storage", "streams", "consumer")) {
            inner.put(name, jetStream);
          }
        };
    jsonWriter.put("limits", limits).put("type", "account").put("version", 2);
  }

  private NatsJwt claims(String subject, String name, Consumer<JsonWriter> claims) {
    return new NatsJwt(subject, name, now, Optional.empty(), claims);
  }
}
