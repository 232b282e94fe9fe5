package dev.uplift.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.agent.report.HostContext;
import dev.uplift.agent.transport.Reply;
import dev.uplift.agent.transport.ServerUnavailable;
import dev.uplift.agent.transport.Transport;
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

/// The messages of an agent that waits to take over.
final class StandbyTest {
  @TempDir private Path run;
  private final RecordingTransport transport = new RecordingTransport();

  @Test
  void agentThatIsSeenToStandByHasLeftItsSign() throws Exception {
    standby().signAndPublishHeartbeat();

    assertThat(transport.signs).containsExactly("2.0.0\ni1 1\n");
  }

  @Test
  void nothingIsReportedAndNoFileWrittenWhileTheServerIsUnavailable() throws Exception {
    transport.unavailable = true;

    standby().signAndPublishHeartbeat();

    assertThat(transport.signs).isEmpty();
    assertThat(run.resolve("standby")).doesNotExist();
  }

  private Standby standby() {
    var hostContext = new HostContext("acme", "till-1", "i1", "boot-1", "2.0.0", "x86-64", new TreeMap<>());
    return new Standby(hostContext, "uplift-agent", transport, run, Duration.ofSeconds(30));
  }

  /// Notes what sign there was when a beat was told.
  private final class RecordingTransport implements Transport {
    private final List<String> signs = new ArrayList<>();
    private boolean unavailable;

    @Override
    public void publish(String subject, byte[] body) {
      try {
        signs.add(Files.readString(run.resolve("standby")));
      } catch (IOException e) {
        signs.add(e.toString());
      }
    }

    @Override
    public Reply request(String subject, Map<String, String> headers, byte[] body) throws ServerUnavailable {
      if (unavailable) {
        throw new ServerUnavailable("not connected");
      }
      return new Reply(404, Map.of(), new byte[0]);
    }

    @Override
    public void subscribe(String subject, Listener listener) {
      throw new AssertionError("it takes no commands");
    }

    @Override
    public void unsubscribe(String subject) {
      throw new AssertionError("it takes no commands");
    }
  }
}
