package dev.uplift.agent.command;

import static java.lang.System.Logger.Level.INFO;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.agent.journal.CommandJournal;
import dev.uplift.agent.journal.CommandRecord;
import dev.uplift.agent.report.EventPublisher;
import dev.uplift.agent.report.HeartbeatPublisher;
import dev.uplift.agent.report.HostContext;
import dev.uplift.agent.report.PackageMeasurements;
import dev.uplift.agent.report.ServerClock;
import dev.uplift.agent.report.TimeSync;
import dev.uplift.agent.transport.Transport;
import dev.uplift.agent.trust.RejectionCounter;
import dev.uplift.agent.trust.RootUpdater;
import dev.uplift.agent.trust.TrustStore;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Order;
import dev.uplift.protocol.Subjects;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// The agent of one host. Several can live in one process and share a [Transport].
public final class HostAgent implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(HostAgent.class.getName());
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);

  private final HostContext hostContext;
  private final Transport transport;
  private final CommandJournal journal;
  private final RejectionCounter rejections = new RejectionCounter();
  private final HeartbeatPublisher heartbeatPublisher;
  private final EventPublisher eventPublisher;
  private final RebootAndStop rebootAndStop;
  private final CommandWorker worker;
  private final CommandReader commandReader;
  private final List<Thread> threads;

  /// @param journal what the agent that worked on the host before has left
  public HostAgent(
      HostContext hostContext,
      TrustStore trustStore,
      Transport transport,
      CommandJournal journal,
      HostEnvironment environment) {
    this.hostContext = hostContext;
    this.transport = transport;
    this.journal = journal;
    AgentIntervals intervals = environment.intervals();
    var clock = new ServerClock(System::nanoTime, environment.timeFloor());
    var measurements = new PackageMeasurements(hostContext.packages(), intervals.inspectTimeout());
    heartbeatPublisher =
        new HeartbeatPublisher(
            hostContext,
            transport,
            clock,
            measurements,
            rejections,
            trustStore,
            new HeartbeatPublisher.InstallBans(environment.ownerHolds(), environment.halts()));
    var halts = new HaltController(environment.halts(), hostContext.packages(), clock, heartbeatPublisher::changed);
    eventPublisher = new EventPublisher(hostContext, transport, clock, measurements, journal, heartbeatPublisher);
    var preconditions = new HostPreconditions(hostContext.bootId(), measurements, journal);
    rebootAndStop =
        new RebootAndStop(
            hostContext.bootId(),
            journal,
            preconditions,
            environment,
            hostContext.packages(),
            heartbeatPublisher::setState);
    var readTriggers = new ReadTriggers(System::nanoTime, intervals);
    worker =
        new CommandWorker(
            journal,
            new StepExecutor(
                journal,
                new ReleaseVerifier(hostContext.packages(), trustStore, journal),
                preconditions,
                rebootAndStop,
                environment,
                halts,
                clock,
                eventPublisher),
            rebootAndStop,
            eventPublisher,
            () -> readTriggers.add(ReadTriggers.Reason.WORKER_FREE));
    commandReader =
        new CommandReader(
            readTriggers,
            transport,
            hostContext.subject(),
            new TimeSync(transport, hostContext.subject(), heartbeatPublisher, clock),
            new CommandDispatcher(
                new CommandValidator(hostContext, trustStore, clock, journal, worker::isRunning),
                journal,
                eventPublisher,
                worker,
                rejections),
            eventPublisher,
            new RootUpdater(trustStore, transport, rejections, heartbeatPublisher::changed));
    threads =
        List.of(
            thread("events", eventPublisher::run),
            thread("heartbeats", () -> heartbeatPublisher.run(intervals.heartbeat())),
            thread("command-reader", commandReader::run),
            thread("trial", new TrialRenewal(environment.agentTrial(), transport, journal, hostContext)::run),
            thread("halts", halts::run),
            thread("worker", this::work));
  }

  private Thread thread(String name, Runnable loop) {
    return Thread.ofVirtual().name(name + " of " + hostContext.subject()).unstarted(loop);
  }

  private void work() {
    resume();
    if (!Thread.currentThread().isInterrupted()) {
      worker.run();
    }
  }

  /// Starts to listen, to publish and to work, and returns.
  public void start() {
    LOG.log(
        INFO,
        "agent {0} of {1}, boot {2}, packages {3}",
        hostContext.instance(),
        hostContext.subject(),
        hostContext.bootId(),
        hostContext.packages().keySet());
    threads.forEach(Thread::start);
    transport.subscribe(Subjects.command(hostContext.subject()), commandReader);
  }

  /// Takes over from the agent before this one: outcomes that the server may not have, and a reboot or a handover that
  /// is over.
  private void resume() {
    try {
      var rebooted = new ArrayList<CommandRecord>();
      for (CommandRecord commandRecord : journal.all()) {
        if (commandRecord.isAnswered()) {
          restore(commandRecord);
        } else if (rebootAndStop.isRebooted(commandRecord)) {
          rebooted.add(commandRecord);
        } else if (isSucceeded(commandRecord)) {
          eventPublisher.publishOutcome(readCommand(commandRecord), new CommandResult.Done(), "");
        }
      }
      // Last, because it may take time.
      for (CommandRecord commandRecord : rebooted) {
        answerReboot(CommandJob.begun(commandRecord));
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void answerReboot(CommandJob commandJob) throws InterruptedException {
    CommandResult commandResult = rebootAndStop.confirm(commandJob);
    if (Thread.interrupted()) {
      // Left to the next agent.
      throw new InterruptedException();
    }
    eventPublisher.publishOutcome(commandJob.command(), commandResult, commandJob.logTail());
  }

  /// Returns whether the agent before this one was to end and has: two agents never work at the same time.
  private boolean isSucceeded(CommandRecord commandRecord) {
    Command command = readCommand(commandRecord);
    return command.order() instanceof Order.Stop && !command.instance().equals(hostContext.instance());
  }

  private static Command readCommand(CommandRecord commandRecord) {
    return Command.read(commandRecord.command().getBytes(UTF_8));
  }

  private void restore(CommandRecord commandRecord) {
    heartbeatPublisher.recordOutcome(Event.read(commandRecord.outcome().getBytes(UTF_8)));
    if (!commandRecord.sent()) {
      eventPublisher.resend(commandRecord);
    }
  }

  /// Publishes a last heartbeat and ends. The next agent continues an unfinished command.
  @Override
  public void close() {
    transport.unsubscribe(Subjects.command(hostContext.subject()));
    threads.forEach(Thread::interrupt);
    heartbeatPublisher.publishLastHeartbeat();
    try {
      for (Thread thread : threads) {
        thread.join(STOP_TIMEOUT);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
