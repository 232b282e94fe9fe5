package dev.uplift.agent.core;

import static java.lang.System.Logger.Level.INFO;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.agent.link.Wire;
import dev.uplift.agent.ops.Op;
import dev.uplift.agent.ops.Ops;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Result;
import dev.uplift.protocol.Subjects;
import java.time.Duration;
import java.util.List;

/// The agent of one host. Several can live in one process and share a [Wire].
public final class HostAgent implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(HostAgent.class.getName());
  private static final Duration END = Duration.ofSeconds(5);

  private final HostSetup setup;
  private final Wire wire;
  private final Ops ops;
  private final Surroundings surroundings;
  private final ServerClock clock;
  private final Refusals refusals = new Refusals();
  private final Reasons reasons;
  private final Measurements measurements;
  private final Preconditions preconditions;
  private final Outbox outbox;
  private final Voice voice;
  private final Reporter reporter;
  private final Answers answers;
  private final Rebooter rebooter;
  private final Worker worker;
  private final Looker looker;
  private final List<Thread> threads;

  /// @param ops the memory of the agent that worked on the host before
  public HostAgent(HostSetup setup, Trust trust, Wire wire, Ops ops, Surroundings surroundings) {
    this.setup = setup;
    this.wire = wire;
    this.ops = ops;
    this.surroundings = surroundings;
    clock = new ServerClock(System::nanoTime, surroundings.goodTime());
    Tempo tempo = surroundings.tempo();
    reasons = new Reasons(System::nanoTime, tempo);
    measurements = new Measurements(setup.packages(), tempo.inspect());
    preconditions = new Preconditions(setup.bootId(), measurements);
    outbox = new Outbox(wire, setup.subject(), ops);
    voice = new Voice(setup, clock, measurements, outbox);
    reporter = new Reporter(setup, wire, clock, measurements, refusals, trust);
    answers = new Answers(ops, voice, outbox, reporter);
    rebooter = new Rebooter(setup.bootId(), ops, preconditions, surroundings, reporter::become);
    worker = worker(trust);
    looker = looker(trust);
    threads =
        List.of(
            thread("outbox", outbox::run),
            thread("reporter", () -> reporter.run(tempo.beat())),
            thread("looker", looker::run),
            thread("worker", this::work));
  }

  private Worker worker(Trust trust) {
    var releases = new Releases(setup.packages(), trust, ops);
    var attempts = new Attempts(surroundings, clock, voice);
    var departures = new Departures(ops, rebooter, surroundings.succession());
    var steps = new Steps(ops, releases, preconditions, departures, attempts);
    return new Worker(ops, steps, voice, answers, () -> reasons.add(Reason.FREE));
  }

  private Looker looker(Trust trust) {
    var gate = new Gate(setup, trust, clock, ops, worker::isAt);
    var desk = new Desk(gate, ops, answers, worker, refusals);
    var slot = new Slot(wire, setup.subject());
    var greeting = new Greeting(wire, setup.subject(), reporter, clock);
    var chain = new Chain(trust, wire, refusals, reporter::changed);
    return new Looker(reasons, greeting, slot, desk, outbox, chain);
  }

  private Thread thread(String name, Runnable loop) {
    return Thread.ofVirtual().name(name + " of " + setup.subject()).unstarted(loop);
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
        setup.instance(),
        setup.subject(),
        setup.bootId(),
        setup.packages().keySet());
    threads.forEach(Thread::start);
    wire.listen(Subjects.command(setup.subject()), looker);
  }

  /// What the agent before this one has left: answers that nobody may have heard, and a reboot that
  /// is over.
  private void resume() {
    try {
      for (Op op : ops.all()) {
        if (op.isAnswered()) {
          remember(op);
        } else if (hasHappened(op)) {
          answers.answer(commandOf(op), new Result.Done(), "");
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// The agent before this one was rebooted with the host, or was to end and has: two never work.
  private boolean hasHappened(Op op) {
    return rebooter.hasHappened(op)
        || (Departures.isStop(commandOf(op)) && !commandOf(op).instance().equals(setup.instance()));
  }

  private static Command commandOf(Op op) {
    return Command.read(op.command().getBytes(UTF_8));
  }

  private void remember(Op op) {
    reporter.answered(Event.read(op.outcome().getBytes(UTF_8)));
    if (!op.sent()) {
      outbox.repeat(op);
    }
  }

  /// Says that it ends, and ends. A command in work goes on in the next agent.
  @Override
  public void close() {
    wire.forget(Subjects.command(setup.subject()));
    threads.forEach(Thread::interrupt);
    reporter.lastBeat();
    try {
      for (Thread thread : threads) {
        thread.join(END);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
