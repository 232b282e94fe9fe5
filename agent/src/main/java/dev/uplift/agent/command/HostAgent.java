package dev.uplift.agent.command;

import static java.lang.System.Logger.Level.INFO;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.agent.journal.CommandJournal;
import dev.uplift.agent.journal.CommandRecord;
import dev.uplift.agent.report.EventFactory;
import dev.uplift.agent.report.EventOutbox;
import dev.uplift.agent.report.HeartbeatPublisher;
import dev.uplift.agent.report.HostContext;
import dev.uplift.agent.report.OutcomeReporter;
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
import dev.uplift.protocol.Subjects;
import java.time.Duration;
import java.util.List;

/// The agent of one host. Several can live in one process and share a [Transport].
public final class HostAgent implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(HostAgent.class.getName());
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);

  private final HostContext hostContext;
  private final Transport wire;
  private final CommandJournal journal;
  private final HostEnvironment environment;
  private final ServerClock clock;
  private final RejectionCounter rejections = new RejectionCounter();
  private final ReadTriggers readTriggers;
  private final PackageMeasurements measurements;
  private final HostPreconditions preconditions;
  private final EventOutbox outbox;
  private final EventFactory eventFactory;
  private final HeartbeatPublisher heartbeatPublisher;
  private final OutcomeReporter outcomeReporter;
  private final Rebooter rebooter;
  private final CommandWorker worker;
  private final CommandReader commandReader;
  private final List<Thread> threads;

  /// @param journal the memory of the agent that worked on the host before
  public HostAgent(
      HostContext hostContext,
      TrustStore trustStore,
      Transport wire,
      CommandJournal journal,
      HostEnvironment environment) {
    this.hostContext = hostContext;
    this.wire = wire;
    this.journal = journal;
    this.environment = environment;
    clock = new ServerClock(System::nanoTime, environment.timeFloor());
    AgentIntervals intervals = environment.intervals();
    readTriggers = new ReadTriggers(System::nanoTime, intervals);
    measurements = new PackageMeasurements(hostContext.packages(), intervals.inspectTimeout());
    preconditions = new HostPreconditions(hostContext.bootId(), measurements);
    outbox = new EventOutbox(wire, hostContext.subject(), journal);
    eventFactory = new EventFactory(hostContext, clock, measurements, outbox);
    heartbeatPublisher =
        new HeartbeatPublisher(hostContext, wire, clock, measurements, rejections, trustStore);
    outcomeReporter = new OutcomeReporter(journal, eventFactory, outbox, heartbeatPublisher);
    rebooter =
        new Rebooter(
            hostContext.bootId(),
            journal,
            preconditions,
            environment,
            heartbeatPublisher::setState);
    worker = worker(trustStore);
    commandReader = commandReader(trustStore);
    threads =
        List.of(
            thread("events", outbox::run),
            thread("heartbeats", () -> heartbeatPublisher.run(intervals.heartbeat())),
            thread("command-reader", commandReader::run),
            thread("worker", this::work));
  }

  private CommandWorker worker(TrustStore trustStore) {
    var releaseVerifier = new ReleaseVerifier(hostContext.packages(), trustStore, journal);
    var retryingStep = new RetryingStep(environment, clock, eventFactory);
    var rebootAndStop = new RebootAndStop(journal, rebooter, environment.agentHandover());
    var stepExecutor =
        new StepExecutor(journal, releaseVerifier, preconditions, rebootAndStop, retryingStep);
    return new CommandWorker(
        journal,
        stepExecutor,
        eventFactory,
        outcomeReporter,
        () -> readTriggers.add(ReadReason.WORKER_FREE));
  }

  private CommandReader commandReader(TrustStore trustStore) {
    var validator =
        new CommandValidator(hostContext, trustStore, clock, journal, worker::isRunning);
    var dispatcher = new CommandDispatcher(validator, journal, outcomeReporter, worker, rejections);
    var mailbox = new CommandMailbox(wire, hostContext.subject());
    var timeSync = new TimeSync(wire, hostContext.subject(), heartbeatPublisher, clock);
    var rootUpdater = new RootUpdater(trustStore, wire, rejections, heartbeatPublisher::changed);
    return new CommandReader(readTriggers, timeSync, mailbox, dispatcher, outbox, rootUpdater);
  }

  private Thread thread(String name, Runnable loop) {
    return Thread.ofVirtual().name(name + " of " + hostContext.subject()).unstarted(loop);
  }

  private void work() {
    resume();
    worker.run();
  }

  /// Begins to listen, to beat and to work, and returns.
  public void start() {
    LOG.log(
        INFO,
        "agent {0} of {1}, boot {2}, packages {3}",
        hostContext.instance(),
        hostContext.subject(),
        hostContext.bootId(),
        hostContext.packages().keySet());
    threads.forEach(Thread::start);
    wire.subscribe(Subjects.command(hostContext.subject()), commandReader);
  }

  /// What the agent before this one has left: answers that nobody may have heard, and a reboot that
  /// is over.
  private void resume() {
    try {
      for (CommandRecord commandRecord : journal.all()) {
        if (commandRecord.isAnswered()) {
          restore(commandRecord);
        } else if (hasHappened(commandRecord)) {
          outcomeReporter.report(readCommand(commandRecord), new CommandResult.Done(), "");
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// The agent before this one was rebooted with the host, or was to end and has: two never work.
  private boolean hasHappened(CommandRecord commandRecord) {
    return rebooter.isDone(commandRecord)
        || (RebootAndStop.isStop(readCommand(commandRecord))
            && !readCommand(commandRecord).instance().equals(hostContext.instance()));
  }

  private static Command readCommand(CommandRecord commandRecord) {
    return Command.read(commandRecord.command().getBytes(UTF_8));
  }

  private void restore(CommandRecord commandRecord) {
    heartbeatPublisher.recordOutcome(Event.read(commandRecord.outcome().getBytes(UTF_8)));
    if (!commandRecord.sent()) {
      outbox.resend(commandRecord);
    }
  }

  /// Says that it ends, and ends. A command in work goes on in the next agent.
  @Override
  public void close() {
    wire.unsubscribe(Subjects.command(hostContext.subject()));
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
