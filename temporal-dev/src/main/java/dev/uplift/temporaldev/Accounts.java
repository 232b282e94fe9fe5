package dev.uplift.temporaldev;

import dev.uplift.protocol.Json;
import dev.uplift.protocol.Subjects;
import dev.uplift.protocol.nats.Rights;
import dev.uplift.protocol.nats.Ticket;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// The accounts of NATS, and what each may do. Streams live in one, hosts in another which imports
/// just what they need: so no host can make JetStream answer to a subject of its choice. What a
/// host may do in that account stands in the scope of the key that signs its ticket.
///
/// @param owner the name of the account that owns the streams
record Accounts(String owner, Instant now) {
  /// Of the server: all streams, and what hosts say.
  static final Rights SERVER =
      new Rights(
          List.of(Subjects.ALL_COMMANDS, Subjects.ALL_ROOTS, "$JS.API.>", "$JS.ACK.>", "$JS.FC.>"),
          List.of("_INBOX.>", "device-heartbeat.>", "device-state.>", "$JS.EVENT.>"),
          -1,
          -1);

  /// Of the server in the system's account: it may say what accounts may do, and nothing else.
  static final Rights CLAIMS =
      new Rights(List.of("$SYS.REQ.CLAIMS.UPDATE"), List.of("_INBOX.>"), -1, -1);

  private static final List<String> SERVICES =
      List.of(
          Subjects.ALL_EVENTS,
          Subjects.ALL_INFOS,
          Subjects.ALL_HEARTBEATS,
          Subjects.directGetCommand("*.*"),
          Subjects.directGetInfo("*.*"),
          Subjects.directGetTrust("*", "*"));

  /// @param signing names of the keys that sign what accounts may do
  Ticket operator(String operator, List<String> signing, String system) {
    return ticket(
        operator,
        "UPLIFT",
        json ->
            json.put("signing_keys", signing)
                .put("system_account", system)
                .put("type", "operator")
                .put("version", 2));
  }

  /// @param revokedUntil tickets that were made until then are good no more; none where 0
  Ticket system(String system, long revokedUntil) {
    return ticket(system, "SYSTEM", json -> account(revoked(json, revokedUntil), 0));
  }

  /// @param revokedUntil as of the system's account
  Ticket streams(long revokedUntil) {
    List<Consumer<Json>> exports = new ArrayList<>();
    exports.add(json -> share(json, Subjects.ALL_COMMANDS, "stream"));
    SERVICES.forEach(subject -> exports.add(json -> share(json, subject, "service")));
    return ticket(
        owner,
        "STREAMS",
        json -> account(revoked(json.putAll("exports", exports), revokedUntil), -1));
  }

  private static Json revoked(Json json, long until) {
    Consumer<Json> all = list -> list.put("*", until);
    return until == 0 ? json : json.put("revocations", all);
  }

  /// @param hosts names of the keys that sign tickets of hosts
  /// @param fleet the name of the key that signs tickets of simulations
  Ticket devices(String devices, List<String> hosts, Optional<String> fleet) {
    List<Consumer<Json>> imports = new ArrayList<>();
    imports.add(json -> take(json, Subjects.ALL_COMMANDS, "stream"));
    SERVICES.forEach(subject -> imports.add(json -> take(json, subject, "service")));
    List<Consumer<Json>> scopes = new ArrayList<>();
    hosts.forEach(key -> scopes.add(scope(key, "host", Rights.HOST)));
    fleet.ifPresent(key -> scopes.add(scope(key, "fleet", Rights.FLEET)));
    return ticket(
        devices,
        "DEVICES",
        json -> account(json.putAll("imports", imports).putAll("signing_keys", scopes), 0));
  }

  private static Consumer<Json> scope(String key, String role, Rights rights) {
    Consumer<Json> template = rights::write;
    return json ->
        json.put("kind", "user_scope").put("key", key).put("role", role).put("template", template);
  }

  private static void share(Json json, String subject, String type) {
    json.put("name", subject).put("subject", subject).put("type", type);
  }

  private void take(Json json, String subject, String type) {
    share(json, subject, type);
    json.put("account", owner);
  }

  /// @param jetStream 0 for none, -1 for as much as there is
  private static void account(Json json, long jetStream) {
    Consumer<Json> limits =
        inner -> {
          for (String name :
              List.of("subs", "data", "payload", "imports", "exports", "conn", "leaf")) {
            inner.put(name, -1);
          }
          inner.put("wildcards", true);
          for (String name : List.of("mem_storage", "disk_storage", "streams", "consumer")) {
            inner.put(name, jetStream);
          }
        };
    json.put("limits", limits).put("type", "account").put("version", 2);
  }

  private Ticket ticket(String subject, String name, Consumer<Json> claims) {
    return new Ticket(subject, name, now, Optional.empty(), claims);
  }
}
