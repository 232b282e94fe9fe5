package dev.uplift.agent.core;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.ERROR;

import dev.uplift.agent.link.Away;
import dev.uplift.agent.link.Backoff;
import dev.uplift.agent.link.Wire;
import java.time.Duration;
import java.util.Optional;

/// Reads the slot when there is a reason to, and has the desk see to what is found.
final class Looker implements Wire.Listener {
  private static final System.Logger LOG = System.getLogger(Looker.class.getName());
  private static final Duration GREETING = Duration.ofSeconds(30);
  private static final Duration NOD = Duration.ofSeconds(1);

  private final Reasons reasons;
  private final Greeting greeting;
  private final Slot slot;
  private final Desk desk;
  private final Outbox outbox;
  private final Chain chain;
  private String latest = "";
  private final Backoff pauses = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1));

  Looker(Reasons reasons, Greeting greeting, Slot slot, Desk desk, Outbox outbox, Chain chain) {
    this.reasons = reasons;
    this.greeting = greeting;
    this.slot = slot;
    this.desk = desk;
    this.outbox = outbox;
    this.chain = chain;
  }

  @Override
  public void connected() {
    outbox.hurry();
    reasons.add(Reason.CONNECTED);
  }

  @Override
  public void rang() {
    reasons.add(Reason.BELL);
  }

  /// Ends with an interrupt.
  void run() {
    try {
      while (true) {
        Reason reason = reasons.next();
        if (reason == Reason.CONNECTED) {
          greeting.exchangeAnew(GREETING);
        } else {
          greeting.exchangeIfDue(NOD);
        }
        look(reason);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// Before what is new is judged: whoever has lost a key has it taken out of the root first.
  private void followRoots(Reason reason, String sequence) throws InterruptedException {
    if (reason == Reason.CONNECTED || reason == Reason.PERIODIC || !sequence.equals(latest)) {
      chain.follow();
      latest = sequence;
    }
  }

  private void look(Reason reason) throws InterruptedException {
    try {
      Optional<Letter> letter = slot.read();
      pauses.reset();
      followRoots(reason, letter.map(Letter::sequence).orElse(latest));
      boolean isNew = letter.isPresent() && desk.take(letter.get(), reason.sendsAgain());
      reasons.looked(isNew);
    } catch (Away e) {
      LOG.log(DEBUG, "cannot look now: {0}", e.getMessage());
      reasons.later(reason, pauses.next());
    } catch (RuntimeException e) {
      LOG.log(ERROR, "a mistake of ours while looking", e);
      reasons.later(reason, pauses.next());
    }
  }
}
