package dev.uplift.agent.core;

import static java.lang.System.Logger.Level.INFO;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.agent.link.Wire;
import dev.uplift.agent.ops.Op;
import dev.uplift.agent.ops.Ops;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.Heartbeat.State;
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
  private final Outbox outbox;
  private final Reporter reporter;
  private final Rebooter rebooter;
  private final Answers answers;
  private final Looker looker;
  private final List<Thread> threads;

  public HostAgent(HostSetup setup, Trust trust, Wire wire, Ops ops, Surroundings surroundings) {
    this.setup = setup;
    this.wire = wire;
    this.ops = ops;
    Tempo tempo = surroundings.tempo();
    var clock = new ServerClock(System::nanoTime);
    var measurements = new Measurements(setup.packages(), tempo.inspect());
    var refusals = new Refusals();
    var reasons = new Reasons(System::nanoTime, tempo);
    var voice = new Voice(setup, clock, measurements);
    outbox = new Outbox(wire, setup.subject(), ops);
    reporter = new Reporter(setup, wire, clock, measurements, refusals);
    answers = new Answers(ops, voice, outbox, reporter);
    rebooter = new Rebooter(setup.bootId(), ops, measurements, surroundings, farewell(voice));
    var releases = new Releases(setup.packages(), trust.releases(), ops);
    var steps =
        new Steps(
            new Steps.Parts(
                setup.packages(),
                ops,
                releases,
                rebooter,
                measurements,
                clock,
                surroundings,
                voice,
                outbox::say));
    var worker = new Worker(ops, steps, answers, () -> reasons.add(Reason.FREE));
    var gate = new Gate(setup, trust.commands(), clock, ops, worker::isAt);
    var desk =
        new Desk(
            new Desk.Parts(
                gate, ops, answers, outbox, worker, refusals, setup.packages().keySet()));
    var slot = new Slot(wire, setup.subject());
    looker =
        new Looker(
            reasons, new Greeting(wire, setup.subject(), reporter, clock), slot, desk, outbox);
    threads =
        List.of(
            thread("outbox", outbox::run),
            thread("reporter", () -> reporter.run(tempo.beat())),
            thread("looker", looker::run),
            thread(
                "worker",
                () -> {
                  resume();
                  worker.run();
                }));
  }

  private Thread thread(String name, Runnable loop) {
    return Thread.ofVirtual().name(name + " of " + setup.subject()).unstarted(loop);
  }

  private Rebooter.Farewell farewell(Voice voice) {
    return new Rebooter.Farewell() {
      @Override
      public void accepted(Command command, Duration within) throws InterruptedException {
        outbox.say(voice.accepted(command));
        outbox.flush(within);
      }

      @Override
      public void goesDown() {
        reporter.become(State.STOPPING);
      }

      @Override
      public void stays() {
        reporter.become(State.RUNNING);
      }
    };
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
        if (op.isAnswered() && !op.sent()) {
          outbox.repeat(op);
        } else if (rebooter.hasHappened(op)) {
          Command command = Command.read(op.command().getBytes(UTF_8));
          answers.answer(command, new Result.Done(), "");
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
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
