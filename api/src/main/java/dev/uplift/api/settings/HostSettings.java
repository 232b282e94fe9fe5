package dev.uplift.api.settings;

import dev.uplift.activities.enrolment.EnrolmentSettings;
import dev.uplift.protocol.SigningKey;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;

/// What is told of how hosts reach this server and NATS, and of what they are given.
final class HostSettings {
  private HostSettings() {}

  /// Nothing where this server is to let no hosts in.
  static Variables.Value<EnrolmentSettings> enrolment(Variables in) {
    var publicUrl = in.text("UPLIFT_PUBLIC_URL", "");
    var natsUrl = in.text("UPLIFT_NATS_URL", "nats://127.0.0.1:4222");
    var server = in.text("UPLIFT_HOSTS_URL", publicUrl.get());
    var nats = in.text("UPLIFT_HOSTS_NATS_URL", natsUrl.get());
    var authorities = in.optionalFile("UPLIFT_HOSTS_CA_FILE", Files::text);
    return in.optionalFile(
        "UPLIFT_ENROLMENT_FOLDER",
        folder -> EnrolmentSettings.read(folder, server.get(), nats.get(), authorities.or("")));
  }

  /// The public keys that hosts are to trust.
  static Variables.Value<SortedMap<String, String>> trust(Variables in) {
    var command = in.file("UPLIFT_COMMAND_KEY_FILE", SigningKey::read);
    return in.file(
        "UPLIFT_RELEASE_KEYS_FOLDER",
        folder -> {
          SortedMap<String, String> files = new TreeMap<>(releases(folder));
          command
              .find()
              .ifPresent(key -> files.put("command/" + key.keyId() + ".pem", key.publicPem()));
          return files;
        });
  }

  private static SortedMap<String, String> releases(Path folder) throws IOException {
    SortedMap<String, String> files = new TreeMap<>();
    try (DirectoryStream<Path> keys = java.nio.file.Files.newDirectoryStream(folder, "*.pem")) {
      for (Path key : keys) {
        files.put("release/" + key.getFileName(), java.nio.file.Files.readString(key));
      }
    }
    return files;
  }
}
