package dev.uplift.agent.join;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.agent.files.FileOps;
import dev.uplift.agent.link.Away;
import dev.uplift.protocol.enrolment.Admission;
import dev.uplift.protocol.enrolment.JoinRequest;
import dev.uplift.protocol.enrolment.JoinToken;
import dev.uplift.protocol.nats.Credentials;
import dev.uplift.protocol.nats.Nkey;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Makes a host one of the fleet. May be broken off anywhere and done again, with the same token:
/// the key is on the disk before it is shown to anybody, and the server answers it again.
///
/// @param configuration of the agent; made where there is none
public record Joining(FileOps files, Path configuration) {
  private static final String NEW =
      """
      {"state_folder":"/var/lib/uplift-agent","packages":{}}
      """;

  /// Asks the server, and is what it is admitted as from then on.
  ///
  /// @param registrar the server of the token
  /// @throws Refused where the server does; nothing of what the host was is changed then
  /// @throws Away where there is no answer; to be tried again with the same token
  public Admission join(JoinToken token, Registrar registrar) throws IOException, Refused, Away {
    Path folder = configuration.toAbsolutePath().resolveSibling("");
    files.createFolders(folder);
    Path pending = folder.resolve(".joining-" + token.hash().substring(0, 16));
    Identity identity = Identity.beside(folder);
    try (Closeable _ = identity.isThere() ? identity.alone() : () -> {}) {
      return join(token, registrar, pending, identity);
    }
  }

  private Admission join(JoinToken token, Registrar registrar, Path pending, Identity identity)
      throws IOException, Refused, Away {
    Nkey key =
        identity.isBy(token.hash()) ? Credentials.read(identity.credentials()).key() : key(pending);
    Admission admission = admission(token, registrar, pending, key);
    identity.become(files, admission, key, token.hash());
    if (!Files.exists(configuration)) {
      files.write(configuration, NEW.getBytes(UTF_8));
    }
    files.delete(pending);
    return admission;
  }

  private Admission admission(JoinToken token, Registrar registrar, Path pending, Nkey key)
      throws IOException, Refused, Away {
    try {
      return registrar.join(JoinRequest.of(token, key));
    } catch (Refused e) {
      files.delete(pending);
      throw e;
    }
  }

  private Nkey key(Path pending) throws IOException {
    if (!Files.exists(pending)) {
      files.writeHidden(pending, Nkey.generate(Nkey.Kind.USER).seed().getBytes(UTF_8));
    }
    return Nkey.ofSeed(Files.readString(pending));
  }
}
