package dev.uplift.agent.command;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import dev.uplift.agent.driver.AgentTrial;
import dev.uplift.agent.journal.CommandJournal;
import dev.uplift.agent.journal.CommandRecord;
import dev.uplift.agent.report.HostContext;
import dev.uplift.agent.transport.Reply;
import dev.uplift.agent.transport.ServerUnavailable;
import dev.uplift.agent.transport.Transport;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.Subjects;
import dev.uplift.protocol.json.MalformedMessage;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/// Renews the trial of this agent while the server could steer it: its commands can be read, and none of them waits for
/// an answer of this host that the server's stream does not have. So a server that is away undoes no good agent, and an
/// agent that cuts itself off, or cannot do what it is told, still goes back.
final class TrialRenewal {
  private static final System.Logger LOG = System.getLogger(TrialRenewal.class.getName());
  private static final Duration MAX_INTERVAL = Duration.ofMinutes(1);

  private final AgentTrial trial;
  private final Transport transport;
  private final CommandJournal journal;
  private final HostContext hostContext;

  TrialRenewal(AgentTrial trial, Transport transport, CommandJournal journal, HostContext hostContext) {
    this.trial = trial;
    this.transport = transport;
    this.journal = journal;
    this.hostContext = hostContext;
  }

  /// Ends with the trial, or with an interrupt.
  void run() {
    try {
      Optional<Duration> timeout = timeout();
      while (timeout.isPresent()) {
        renewIfSteerable();
        Duration part = timeout.get().dividedBy(5);
        Thread.sleep(part.compareTo(MAX_INTERVAL) < 0 ? part : MAX_INTERVAL);
        timeout = timeout();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private Optional<Duration> timeout() {
    try {
      return trial.timeout();
    } catch (IOException e) {
      LOG.log(WARNING, "cannot read whether this version is on trial: {0}", e.toString());
      return Optional.empty();
    }
  }

  private void renewIfSteerable() throws InterruptedException {
    try {
      if (isNothingAsked()) {
        trial.renew();
      }
    } catch (ServerUnavailable | MalformedMessage e) {
      LOG.log(DEBUG, "the trial is not renewed: {0}", e.getMessage());
    } catch (IOException e) {
      LOG.log(WARNING, "the trial cannot be renewed: {0}", e.toString());
    }
  }

  /// Returns whether the newest command is answered, or there is none.
  private boolean isNothingAsked() throws ServerUnavailable, InterruptedException {
    Reply reply = transport.request(Subjects.directGetCommand(hostContext.subject()), Map.of(), new byte[0]);
    return switch (reply.status()) {
      case Reply.NOT_FOUND -> true;
      case Reply.OK -> isAnswered(Command.read(reply.body()));
      default -> false;
    };
  }

  private boolean isAnswered(Command newest) {
    boolean isForAnother = !newest.instance().isEmpty() && !newest.instance().equals(hostContext.instance());
    return isForAnother || journal.find(newest.id()).filter(CommandRecord::sent).isPresent();
  }
}
