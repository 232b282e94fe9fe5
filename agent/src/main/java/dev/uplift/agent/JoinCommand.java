package dev.uplift.agent;

import dev.uplift.agent.driver.agent.AgentDriver;
import dev.uplift.agent.files.FileOps;
import dev.uplift.agent.join.Identity;
import dev.uplift.agent.join.Joining;
import dev.uplift.agent.join.Refused;
import dev.uplift.agent.join.Registrar;
import dev.uplift.agent.join.Renewal;
import dev.uplift.agent.link.Authorities;
import dev.uplift.agent.link.Away;
import dev.uplift.agent.link.GoodTime;
import dev.uplift.protocol.MalformedMessage;
import dev.uplift.protocol.enrolment.Admission;
import dev.uplift.protocol.enrolment.JoinToken;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;

/// What a person has the agent do about who its host is: `join`, and `rotate` for another key.
final class JoinCommand {
  static final String USAGE = "join TOKEN|- [--config FILE] | rotate [--config FILE]";

  private static final Path USUAL = Path.of("/etc/uplift-agent/agent.json");
  private static final int USAGE_CODE = 2;
  private static final int REFUSED = 15;
  private static final int TRIES = 3;

  private JoinCommand() {}

  static boolean isOne(List<String> words) {
    return !words.isEmpty()
        && (words.getFirst().equals("join") || words.getFirst().equals("rotate"));
  }

  /// The code that the process is to end with.
  static int run(List<String> words)
      throws IOException, GeneralSecurityException, InterruptedException {
    boolean joins = words.getFirst().equals("join");
    int options = joins ? 2 : 1;
    boolean hasConfig = words.size() == options + 2 && words.get(options).equals("--config");
    if (words.size() != options && !hasConfig) {
      System.err.println("usage: agent " + USAGE);
      return USAGE_CODE;
    }
    Path configuration = hasConfig ? Path.of(words.getLast()) : USUAL;
    try {
      if (joins) {
        return join(words.get(1), configuration);
      }
      rotate(configuration);
      return 0;
    } catch (Refused e) {
      System.err.println("refused: " + e.code() + ": " + e.getMessage());
      return REFUSED;
    } catch (Away e) {
      System.err.println(e.getMessage() + "; try again");
      return AgentDriver.SERVER_AWAY;
    }
  }

  /// A token in the arguments is seen by whoever lists processes; `-` reads it from the input.
  private static int join(String word, Path configuration)
      throws IOException, GeneralSecurityException, InterruptedException, Refused, Away {
    JoinToken token;
    try {
      token = JoinToken.of(word.equals("-") ? input() : word);
    } catch (MalformedMessage e) {
      System.err.println(e.getMessage());
      return USAGE_CODE;
    }
    var registrar =
        new Registrar(
            token.url(), Authorities.pinned(token.authority(), GoodTime.inMemory()::floor));
    Admission admission = patiently(token, registrar, configuration);
    System.out.println("joined as %s of %s".formatted(admission.host(), admission.tenant()));
    return 0;
  }

  private static Admission patiently(JoinToken token, Registrar registrar, Path configuration)
      throws IOException, InterruptedException, Refused, Away {
    var joining = new Joining(FileOps.onDisk(), configuration);
    for (int tries = 1; ; tries++) {
      try {
        return joining.join(token, registrar);
      } catch (Away e) {
        if (tries == TRIES) {
          throw e;
        }
        System.err.println(e.getMessage() + "; trying again");
        Thread.sleep(5_000);
      }
    }
  }

  private static String input() throws IOException {
    return new String(System.in.readNBytes(4096), StandardCharsets.UTF_8);
  }

  private static void rotate(Path configuration)
      throws IOException, GeneralSecurityException, Refused, Away {
    AgentConfig config = AgentConfig.read(configuration);
    Agent.vouch(config, GoodTime.in(FileOps.onDisk(), config.stateFolder()));
    Identity identity = Identity.beside(configuration.toAbsolutePath().resolveSibling(""));
    new Renewal(identity, FileOps.onDisk()).rotate();
    System.out.println("the host has a new key");
  }
}
