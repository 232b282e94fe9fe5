package dev.uplift.agent;

import dev.uplift.agent.driver.agent.AgentDriver;
import dev.uplift.agent.enrolment.CredentialsRenewal;
import dev.uplift.agent.enrolment.EnrolmentClient;
import dev.uplift.agent.enrolment.HostEnrolment;
import dev.uplift.agent.enrolment.HostIdentity;
import dev.uplift.agent.enrolment.ServerRejected;
import dev.uplift.agent.files.FileOps;
import dev.uplift.agent.transport.ServerUnavailable;
import dev.uplift.agent.trust.TlsAuthorities;
import dev.uplift.agent.trust.TrustedTimeFloor;
import dev.uplift.protocol.enrolment.EnrolmentResponse;
import dev.uplift.protocol.enrolment.JoinToken;
import dev.uplift.protocol.json.MalformedMessage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;

/// The commands about the host's identity: `join`, and `rotate` for another key.
final class JoinCommand {
  static final String USAGE = "join TOKEN|- [--new-root] [--config FILE] | rotate [--config FILE]";

  private static final Path DEFAULT_CONFIG = Path.of("/etc/uplift-agent/agent.json");
  private static final int USAGE_EXIT_CODE = 2;
  private static final int REJECTED = 15;
  private static final int MAX_TRIES = 3;

  private JoinCommand() {}

  static boolean matches(List<String> words) {
    return !words.isEmpty() && (words.getFirst().equals("join") || words.getFirst().equals("rotate"));
  }

  /// The code that the process is to end with.
  static int run(List<String> words) throws IOException, GeneralSecurityException, InterruptedException {
    boolean joins = words.getFirst().equals("join");
    boolean startsNewChain = joins && words.size() > 2 && words.get(2).equals("--new-root");
    int options = joins ? startsNewChain ? 3 : 2 : 1;
    boolean hasConfig = words.size() == options + 2 && words.get(options).equals("--config");
    if (words.size() != options && !hasConfig) {
      System.err.println("usage: agent " + USAGE);
      return USAGE_EXIT_CODE;
    }
    Path configuration = hasConfig ? Path.of(words.getLast()) : DEFAULT_CONFIG;
    try {
      if (joins) {
        return join(words.get(1), configuration, startsNewChain);
      }
      rotate(configuration);
      return 0;
    } catch (ServerRejected e) {
      System.err.println("refused: " + e.code() + ": " + e.getMessage());
      return REJECTED;
    } catch (ServerUnavailable e) {
      System.err.println(e.getMessage() + "; try again");
      return AgentDriver.SERVER_UNAVAILABLE;
    }
  }

  /// A token in the arguments is visible in the list of processes; `-` reads it from the input.
  private static int join(String word, Path configuration, boolean startsNewChain)
      throws IOException, GeneralSecurityException, InterruptedException, ServerRejected, ServerUnavailable {
    JoinToken token;
    try {
      token = JoinToken.decode(word.equals("-") ? readStandardInput() : word);
    } catch (MalformedMessage e) {
      System.err.println(e.getMessage());
      return USAGE_EXIT_CODE;
    }
    var enrolmentClient =
        new EnrolmentClient(
            token.url(), TlsAuthorities.pinned(token.caFingerprint(), TrustedTimeFloor.inMemory()::floor));
    EnrolmentResponse enrolmentResponse =
        joinWithRetries(token, enrolmentClient, new HostEnrolment(FileOps.onDisk(), configuration, startsNewChain));
    System.out.println("joined as %s of %s".formatted(enrolmentResponse.host(), enrolmentResponse.tenant()));
    return 0;
  }

  private static EnrolmentResponse joinWithRetries(
      JoinToken token, EnrolmentClient enrolmentClient, HostEnrolment hostEnrolment)
      throws IOException, InterruptedException, ServerRejected, ServerUnavailable {
    for (int tries = 1; ; tries++) {
      try {
        return hostEnrolment.join(token, enrolmentClient);
      } catch (ServerUnavailable e) {
        if (tries == MAX_TRIES) {
          throw e;
        }
        System.err.println(e.getMessage() + "; trying again");
        Thread.sleep(5_000);
      }
    }
  }

  private static String readStandardInput() throws IOException {
    return new String(System.in.readNBytes(4096), StandardCharsets.UTF_8);
  }

  private static void rotate(Path configuration)
      throws IOException, GeneralSecurityException, ServerRejected, ServerUnavailable {
    AgentConfig config = AgentConfig.read(configuration);
    Agent.configureTls(config, TrustedTimeFloor.inFolder(FileOps.onDisk(), config.stateFolder()));
    HostIdentity hostIdentity = HostIdentity.beside(configuration.toAbsolutePath().resolveSibling(""));
    new CredentialsRenewal(hostIdentity, FileOps.onDisk()).rotate();
    System.out.println("rotated the host's key");
  }
}
