package dev.uplift.api.settings;

import dev.uplift.services.enrolment.EnrolmentSettings;

/// What is told of how hosts reach this server and NATS.
final class EnrolmentSettingsReader {
  private EnrolmentSettingsReader() {}

  /// Nothing where this server is to let no hosts in.
  static EnvironmentReader.Value<EnrolmentSettings> read(EnvironmentReader in) {
    var publicUrl = in.text("UPLIFT_PUBLIC_URL", "");
    var natsUrl = in.text("UPLIFT_NATS_URL", "nats://127.0.0.1:4222");
    var server = in.text("UPLIFT_ENROLMENT_SERVER_URL", publicUrl.get());
    var nats = in.text("UPLIFT_ENROLMENT_NATS_URL", natsUrl.get());
    var authorities = in.optionalFile("UPLIFT_ENROLMENT_CA_FILE", SettingsFiles::text);
    return in.optionalFile(
        "UPLIFT_ENROLMENT_KEYS_FOLDER",
        folder -> EnrolmentSettings.read(folder, server.get(), nats.get(), authorities.orElse("")));
  }
}
