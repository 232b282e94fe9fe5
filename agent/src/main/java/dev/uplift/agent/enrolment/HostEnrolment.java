package dev.uplift.agent.enrolment;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.agent.files.FileOps;
import dev.uplift.agent.transport.ServerUnavailable;
import dev.uplift.protocol.enrolment.EnrolmentResponse;
import dev.uplift.protocol.enrolment.JoinRequest;
import dev.uplift.protocol.enrolment.JoinToken;
import dev.uplift.protocol.json.JsonObject;
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
/// @param startsNewChain whether the root of the server counts even where the host has one that it does not follow
public record HostEnrolment(FileOps files, Path configuration, boolean startsNewChain) {
  private static final String STATE_FOLDER = "/var/lib/uplift-agent";
  private static final String INITIAL_CONFIG =
      """
      {"state_folder":"%s","packages":{}}
      """
          .formatted(STATE_FOLDER);

  public HostEnrolment(FileOps files, Path configuration) {
    this(files, configuration, false);
  }

  /// Asks the server, and is what it is admitted as from then on.
  ///
  /// @param enrolmentClient the server of the token
  /// @throws ServerRejected where the server does, or gives a root that the host must not go by; nothing of what the
  ///   host was is changed then
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
    ReceivedRoot received = ReceivedRoot.verify(enrolmentResponse, token);
    Path stored = stateFolder().resolve("root.json");
    String root = startsNewChain ? received.signed().root() : received.startingFrom(stored);
    hostIdentity.replace(files, enrolmentResponse.withRoot(root), key, token.hash());
    if (startsNewChain) {
      files.delete(stored);
    }
    if (!Files.exists(configuration)) {
      files.write(configuration, INITIAL_CONFIG.getBytes(UTF_8));
    }
    files.delete(pending);
    return enrolmentResponse;
  }

  /// Its root outlives the host's identity.
  private Path stateFolder() throws IOException {
    if (!Files.exists(configuration)) {
      return Path.of(STATE_FOLDER);
    }
    JsonObject config = JsonObject.parse(Files.readAllBytes(configuration));
    return configuration.toAbsolutePath().resolveSibling(config.stringOr("state_folder", STATE_FOLDER));
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
