package dev.uplift.activities.enrolment;

import dev.uplift.protocol.nats.Nkey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// What it takes to let hosts in.
///
/// @param hosts the scoped key that signs their tickets
/// @param operator the signing key of the operator, for the claims of the hosts' account
/// @param system credentials of a user that may tell NATS such claims
/// @param account claims of the hosts' account, as a ticket, without anything revoked
/// @param server how hosts reach this server
/// @param nats how hosts reach NATS
/// @param authorities certificates (PEM) of who vouches for both; empty where the usual ones do
public record EnrolmentSettings(
    Nkey hosts,
    Nkey operator,
    Path system,
    String account,
    String server,
    String nats,
    String authorities) {
  /// How long a ticket is good. A host asks for the next one every day.
  public static final Duration TICKET = Duration.ofDays(30);

  /// The parts that lie in one folder: `hosts-signing.nk`, `operator-signing.nk`, `system.creds`,
  /// `devices.jwt`.
  public static EnrolmentSettings read(Path folder, String server, String nats, String authorities)
      throws IOException {
    return new EnrolmentSettings(
        key(folder.resolve("hosts-signing.nk")),
        key(folder.resolve("operator-signing.nk")),
        folder.resolve("system.creds"),
        Files.readString(folder.resolve("devices.jwt")).strip(),
        server,
        nats,
        authorities);
  }

  private static Nkey key(Path file) throws IOException {
    try {
      return Nkey.ofSeed(Files.readString(file).strip());
    } catch (IllegalArgumentException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
  }
}
