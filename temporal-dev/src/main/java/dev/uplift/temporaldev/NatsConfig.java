package dev.uplift.temporaldev;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/// The configuration of nats-server. Who may log in, and what for, is said by the tickets of a
/// [Realm]; what accounts may do lies in a folder, and can be changed while it runs. It is written
/// as JSON, which nats-server reads as it reads its own notation.
record NatsConfig(String name, int port, Path store, Path accounts, Realm realm) {
  // The streams' own limits count; by default they would be refused where the disk is small.
  private static final long MAX_FILE_STORE = 1L << 40;

  String text() {
    return Json.indented(
        map(
            "server_name",
            name,
            "listen",
            "127.0.0.1:" + port,
            "jetstream",
            map("store_dir", store, "max_file_store", MAX_FILE_STORE),
            "operator",
            realm.operator(),
            "system_account",
            realm.name("system"),
            "resolver",
            map("type", "full", "dir", accounts, "allow_delete", false)));
  }

  private static Map<String, Object> map(Object... namesAndValues) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      map.put(namesAndValues[i].toString(), namesAndValues[i + 1]);
    }
    return map;
  }
}
