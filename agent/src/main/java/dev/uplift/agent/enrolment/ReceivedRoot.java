package dev.uplift.agent.enrolment;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.protocol.SignedTrustRoot;
import dev.uplift.protocol.SignedTrustRoot.Verification;
import dev.uplift.protocol.TrustRoot;
import dev.uplift.protocol.enrolment.EnrolmentResponse;
import dev.uplift.protocol.enrolment.JoinToken;
import dev.uplift.protocol.json.MalformedMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/// The trust root that a server hands to a host that joins. The choice of it is command of the host, so the server
/// alone does not choose: the root is signed by its own root keys, which are those that the token names, and where the
/// host had a root of that tenant before, it goes on from that one.
record ReceivedRoot(SignedTrustRoot signed, TrustRoot root) {

  /// @throws ServerRejected if it is none that the host may go by
  static ReceivedRoot verify(EnrolmentResponse response, JoinToken token) throws ServerRejected {
    String document = response.trust().getOrDefault(EnrolmentResponse.ROOT_FILE, "");
    if (document.isEmpty()) {
      throw rejected("the tenant " + token.tenant() + " has no root yet: `uplift keys root publish`, then join again");
    }
    var signed =
        new SignedTrustRoot(document, response.trust().getOrDefault(EnrolmentResponse.ROOT_SIGNATURE_FILE, ""));
    return switch (signed.verifyAsFirst(token.tenant())) {
      case Verification.Invalid(String why) -> throw rejected("the root that the server gives is not valid: " + why);
      case Verification.Valid(TrustRoot root) -> {
        requireNamedBy(token, root);
        yield new ReceivedRoot(signed, root);
      }
    };
  }

  private static void requireNamedBy(JoinToken token, TrustRoot root) throws ServerRejected {
    if (!token.rootKeys().isEmpty() && !token.rootKeys().equals(root.rootKeysHash())) {
      throw rejected(
          "the root %d that the server gives has other root keys than the token names; if they were rotated since, create another token"
              .formatted(root.version()));
    }
    if (root.version() < token.rootVersion()) {
      throw rejected(
          "the server gives root %d, and the token names %d: publish that one first"
              .formatted(root.version(), token.rootVersion()));
    }
  }

  /// Returns the root that the host is to begin with: this one, or the one that it had, from which it follows the chain
  /// by itself once it reaches NATS.
  ///
  /// @param stored the root that the agent's state has
  /// @throws ServerRejected if this one is known not to follow the stored one
  String startingFrom(Path stored) throws IOException, ServerRejected {
    Optional<TrustRoot> before = read(stored);
    if (before.isEmpty() || root.version() < before.get().version()) {
      return signed.root();
    }
    byte[] storedBytes = Files.readAllBytes(stored);
    boolean isSame = Arrays.equals(storedBytes, signed.root().getBytes(UTF_8));
    boolean isNext =
        root.version() == before.get().version() + 1
            && signed.verifyAsSuccessorOf(before.get()) instanceof Verification.Valid;
    if (root.version() <= before.get().version() + 1 && !isSame && !isNext) {
      throw rejected(
          "root %d that the server gives does not follow root %d, which this host goes by (%s); if you have begun a new chain of roots, join with --new-root"
              .formatted(root.version(), before.get().version(), stored));
    }
    return isSame || isNext ? signed.root() : new String(storedBytes, UTF_8);
  }

  /// Empty also where it is of another tenant, which keeps the agent from starting.
  private Optional<TrustRoot> read(Path stored) throws IOException {
    if (!Files.exists(stored)) {
      return Optional.empty();
    }
    try {
      return Optional.of(TrustRoot.read(Files.readAllBytes(stored))).filter(it -> it.tenant().equals(root.tenant()));
    } catch (MalformedMessage _) {
      return Optional.empty();
    }
  }

  private static ServerRejected rejected(String why) {
    return new ServerRejected("root-untrusted", why, "");
  }
}
