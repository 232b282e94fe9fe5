package dev.uplift.agent.trust;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import dev.uplift.agent.transport.Reply;
import dev.uplift.agent.transport.ServerUnavailable;
import dev.uplift.agent.transport.Transport;
import dev.uplift.protocol.SignedTrustRoot;
import dev.uplift.protocol.Subjects;
import dev.uplift.protocol.json.MalformedMessage;
import java.io.IOException;
import java.util.Map;

/// Updates the trust root of this host: reads the next one until there is none. Needs no command, so a host that was
/// offline for so long that it knows no current key is updated too.
public final class RootUpdater {
  private static final System.Logger LOG = System.getLogger(RootUpdater.class.getName());

  private final TrustStore trustStore;
  private final Transport wire;
  private final RejectionCounter rejections;
  private final Runnable onChange;

  /// @param onChange runs when another root counts
  public RootUpdater(TrustStore trustStore, Transport wire, RejectionCounter rejections, Runnable onChange) {
    this.trustStore = trustStore;
    this.wire = wire;
    this.rejections = rejections;
    this.onChange = onChange;
  }

  /// Keeps the current root if the next one cannot be read or is invalid.
  public void update() throws InterruptedException {
    long before = trustStore.root().version();
    try {
      while (fetchNext()) {
        LOG.log(INFO, "goes by root {0}", trustStore.root().version());
      }
    } catch (ServerUnavailable e) {
      LOG.log(DEBUG, "cannot ask for roots now: {0}", e.getMessage());
    } catch (IOException e) {
      LOG.log(WARNING, "a new root cannot be kept, so it does not count: {0}", e.toString());
    }
    if (trustStore.root().version() != before) {
      onChange.run();
    }
  }

  private boolean fetchNext() throws ServerUnavailable, IOException, InterruptedException {
    long next = trustStore.root().version() + 1;
    Reply reply =
        wire.request(Subjects.directGetRoot(trustStore.root().tenant(), Long.toString(next)), Map.of(), new byte[0]);
    if (reply.status() != Reply.OK) {
      return false;
    }
    try {
      return switch (trustStore.accept(SignedTrustRoot.read(reply.body()))) {
        case SignedTrustRoot.Verification.Valid _ -> true;
        case SignedTrustRoot.Verification.Invalid(String why) -> {
          rejections.recordRoot(next, why);
          yield false;
        }
      };
    } catch (MalformedMessage e) {
      rejections.recordRoot(next, String.valueOf(e.getMessage()));
      return false;
    }
  }
}
