package dev.uplift.agent.core;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import dev.uplift.agent.link.Away;
import dev.uplift.agent.link.Reply;
import dev.uplift.agent.link.Wire;
import dev.uplift.protocol.MalformedMessage;
import dev.uplift.protocol.SignedRoot;
import dev.uplift.protocol.Subjects;
import java.io.IOException;
import java.util.Map;

/// Brings the root of this host up to date: asks for the one after it until there is none. Needs
/// nobody's order, so a host that was away for long enough to know no key of today finds out too.
final class Chain {
  private static final System.Logger LOG = System.getLogger(Chain.class.getName());

  private final Trust trust;
  private final Wire wire;
  private final Refusals refusals;
  private final Runnable changed;

  /// @param changed is told when another root counts
  Chain(Trust trust, Wire wire, Refusals refusals, Runnable changed) {
    this.trust = trust;
    this.wire = wire;
    this.refusals = refusals;
    this.changed = changed;
  }

  /// Where the next one cannot be had, or is none, what counted before goes on to count.
  void follow() throws InterruptedException {
    long before = trust.root().version();
    try {
      while (takeNext()) {
        LOG.log(INFO, "goes by root {0}", trust.root().version());
      }
    } catch (Away e) {
      LOG.log(DEBUG, "cannot ask for roots now: {0}", e.getMessage());
    } catch (IOException e) {
      LOG.log(WARNING, "a new root cannot be kept, so it does not count: {0}", e.toString());
    }
    if (trust.root().version() != before) {
      changed.run();
    }
  }

  private boolean takeNext() throws Away, IOException, InterruptedException {
    long next = trust.root().version() + 1;
    Reply reply =
        wire.ask(
            Subjects.directGetTrust(trust.root().tenant(), Long.toString(next)),
            Map.of(),
            new byte[0]);
    if (reply.status() != Reply.OK) {
      return false;
    }
    try {
      return switch (trust.take(SignedRoot.read(reply.body()))) {
        case SignedRoot.Judgement.Good _ -> true;
        case SignedRoot.Judgement.Refused(String why) -> {
          refusals.noteRoot(next, why);
          yield false;
        }
      };
    } catch (MalformedMessage e) {
      refusals.noteRoot(next, String.valueOf(e.getMessage()));
      return false;
    }
  }
}
