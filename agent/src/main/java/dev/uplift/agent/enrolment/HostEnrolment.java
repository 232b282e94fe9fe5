package dev.uplift.agent.enrolment;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.agent.files.FileOps;
import dev.uplift.agent.transport.ServerUnavailable;
import dev.uplift.protocol.enrolment.EnrolmentResponse;
import dev.uplift.protocol.enrolment.JoinRequest;
import dev.uplift.protocol.enrolment.JoinToken;
import dev.uplift.protocol.nats.Credentials;
import dev.uplift.protocol.nats.Nkey;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Makes a host one of the fleet. May be broken off anywhere and done again, with the same token: the key is on the
/// disk before it is sent, and the server answers it again.
///
/// @param configuration of the agent; made where there is none
public record HostEnrolment(FileOps files, Path configuration) {
  private static final String INITIAL_CONFIG =
      """
      {"state_folder":"/var/lib/uplift-agent","packages":{}}
      """;

  /// Asks the server, and is what it is admitted as from then on.
  ///
  /// @param enrolmentClient the server of the token
  /// @throws ServerRejected where the server does; nothing of what the host was is changed then
  /// @throws ServerUnavailable where there is no answer; to be tried again with the same token
  public EnrolmentResponse join(JoinToken token, EnrolmentClient enrolmentClient)
      throws IOException, ServerRejected, ServerUnavailable {
    Path folder = configuration.toAbsolutePath().resolveSibling("");
    files.createFolders(folder);
    Path pending = folder.resolve(".joining-" + token.hash().substring(0, 16));
    HostIdentity hostIdentity = HostIdentity.beside(folder);
    try (Closeable _ = hostIdentity.exists() ? hostIdentity.lock() : () -> {}) {
      return join(token, enrolmentClient, pending, hostIdentity);
    }
  }

  private EnrolmentResponse join(
      JoinToken token, EnrolmentClient enrolmentClient, Path pending, HostIdentity hostIdentity)
      throws IOException, ServerRejected, ServerUnavailable {
    Nkey key =
        hostIdentity.wasEnrolledWith(token.hash())
            ? Credentials.read(hostIdentity.credentialsFile()).key()
            : pendingKey(pending);
    EnrolmentResponse enrolmentResponse = requestAdmission(token, enrolmentClient, pending, key);
    hostIdentity.replace(files, enrolmentResponse, key, token.hash());
    if (!Files.exists(configuration)) {
      files.write(configuration, INITIAL_CONFIG.getBytes(UTF_8));
    }
    files.delete(pending);
    return enrolmentResponse;
  }

  private EnrolmentResponse requestAdmission(JoinToken token, EnrolmentClient enrolmentClient, Path pending, Nkey key)
      throws IOException, ServerRejected, ServerUnavailable {
    try {
      return enrolmentClient.join(JoinRequest.of(token, key));
    } catch (ServerRejected e) {
      files.delete(pending);
      throw e;
    }
  }

  private Nkey pendingKey(Path pending) throws IOException {
    if (!Files.exists(pending)) {
      files.writePrivate(pending, Nkey.generate(Nkey.Kind.USER).seed().getBytes(UTF_8));
    }
    return Nkey.fromSeed(Files.readString(pending));
  }
}
