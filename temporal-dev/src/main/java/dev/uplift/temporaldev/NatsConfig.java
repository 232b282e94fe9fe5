package dev.uplift.temporaldev;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/// The configuration of nats-server. Who may log in, and what for, is said by the tickets of a
/// [Realm]; what accounts may do lies in a folder, and can be changed while it runs. It is written
/// as JSON, which nats-server reads as it reads its own notation.
record NatsConfig(String name, int port, Path store, Path accounts, Shared stack) {
  // The streams' own limits count; by default they would be refused where the disk is small.
  private static final long MAX_FILE_STORE = 1L << 40;

  String text() {
    Realm realm = stack.secrets().realm();
    Map<String, Object> all =
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
            map("type", "full", "dir", accounts, "allow_delete", false));
    if (stack.isSecured()) {
      Certificates certificates = stack.secrets().certificates();
      all.put("tls", map("cert_file", certificates.chain(), "key_file", certificates.key()));
    }
    return Json.indented(all);
  }

  private static Map<String, Object> map(Object... namesAndValues) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      map.put(namesAndValues[i].toString(), namesAndValues[i + 1]);
    }
    return map;
  }
}
