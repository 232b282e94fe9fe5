package dev.uplift.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.agent.core.HostSetup;
import dev.uplift.agent.link.Away;
import dev.uplift.agent.link.Reply;
import dev.uplift.agent.link.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What an agent says of itself while it waits to take over.
final class StandbyTest {
  @TempDir private Path run;
  private final Line line = new Line();

  @Test
  void agentThatIsSeenToStandByHasLeftItsSign() throws Exception {
    standby().signAndBeat();

    assertThat(line.signs).containsExactly("2.0.0\ni1 1\n");
  }

  @Test
  void nothingIsSaidAndNoSignLeftWhileTheServerIsAway() throws Exception {
    line.away = true;

    standby().signAndBeat();

    assertThat(line.signs).isEmpty();
    assertThat(run.resolve("standby")).doesNotExist();
  }

  private Standby standby() {
    var setup = new HostSetup("acme", "till-1", "i1", "boot-1", "2.0.0", "x86-64", new TreeMap<>());
    return new Standby(setup, "uplift-agent", line, run, Duration.ofSeconds(30));
  }

  /// Notes what sign there was when a beat was told.
  private final class Line implements Wire {
    private final List<String> signs = new ArrayList<>();
    private boolean away;

    @Override
    public void tell(String subject, byte[] body) {
      try {
        signs.add(Files.readString(run.resolve("standby")));
      } catch (IOException e) {
        signs.add(e.toString());
      }
    }

    @Override
    public Reply ask(String subject, Map<String, String> headers, byte[] body) throws Away {
      if (away) {
        throw new Away("not connected");
      }
      return new Reply(404, Map.of(), new byte[0]);
    }

    @Override
    public void listen(String subject, Listener listener) {
      throw new AssertionError("it takes no commands");
    }

    @Override
    public void forget(String subject) {
      throw new AssertionError("it takes no commands");
    }
  }
}
