package dev.uplift.agent.driver.simulated;

import dev.uplift.agent.driver.Driver;
import dev.uplift.agent.driver.Found;
import dev.uplift.agent.driver.Job;
import dev.uplift.agent.driver.Options;
import dev.uplift.agent.driver.Setup;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.driver.Work;
import dev.uplift.protocol.Result;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.function.Function;

/// Does as it is told by the release's arguments and the host's settings: takes its time, fails,
/// asks for a reboot, goes on trial.
public final class SimulatedDriver implements Driver {
  private static final Duration SLICE = Duration.ofMillis(200);

  private final Setup setup;
  private final SimulatedState state;

  public SimulatedDriver(Setup setup, SimulatedState state) {
    this.setup = setup;
    this.state = state;
  }

  /// Remembers itself in the package's state folder.
  public static SimulatedDriver open(Setup setup) {
    return new SimulatedDriver(setup, SimulatedState.inFile(setup.host().files(), setup.state()));
  }

  @Override
  public Found inspect() {
    try {
      return look(SimulatedPackage::found);
    } catch (IOException _) {
      // What cannot be measured is unknown: the contract of `inspect`.
      return Found.nothing();
    }
  }

  @Override
  public Result prepare(Job job) {
    return answer(() -> {
      String version = job.release().version();
      work("prepare", job, true, () -> change(it -> prepare(it, version)));
      return new Result.Done();
    });
  }

  private static void prepare(SimulatedPackage it, String version) {
    if (!it.version().equals(version)) {
      it.stage(version);
    }
  }

  @Override
  public Result upgrade(Job job) {
    return answer(() -> {
      String version = job.command().version();
      String becomes = options(job).text("becomes").orElse(version);
      Optional<Result> already = look(it -> already(it, becomes));
      if (already.isPresent()) {
        return already.get();
      }
      if (!look(it -> it.isStaged(version))) {
        throw StepFailed.fatal("not-prepared", version + " is not staged here");
      }
      boolean trial = options(job).flag("trial");
      work("upgrade", job, true, () -> turnTo(becomes, trial, job));
      return asFound();
    });
  }

  @Override
  public Result commit(Job job) {
    return answer(() -> {
      work("commit", job, false, () -> change(SimulatedPackage::endTrial));
      return new Result.Done();
    });
  }

  @Override
  public Result rollback(Job job) {
    return answer(() -> {
      String version = job.command().version();
      Optional<Result> already = look(it -> already(it, version));
      if (already.isPresent()) {
        change(it -> it.stage(""));
        return already.get();
      }
      work("rollback", job, false, () -> turnTo(version, false, job));
      return asFound();
    });
  }

  private static Optional<Result> already(SimulatedPackage it, String version) {
    if (it.isPending(version)) {
      return Optional.of(new Result.RebootRequired());
    }
    return it.version().equals(version) && !it.isPending()
        ? Optional.of(new Result.Done())
        : Optional.empty();
  }

  private Result asFound() throws IOException {
    return look(SimulatedPackage::isPending) ? new Result.RebootRequired() : new Result.Done();
  }

  private void turnTo(String version, boolean trial, Job job) throws StepFailed, IOException {
    boolean reboot = options(job).flag("reboot");
    String bootId = setup.host().bootId().get();
    change(it -> {
      if (trial) {
        it.beginTrial(bootId);
      } else {
        it.endTrial();
      }
      // Back where it runs already: nothing is left to boot into.
      if (reboot && !it.version().equals(version)) {
        it.turnToAtNextBoot(version, bootId);
      } else {
        it.turnTo(version);
      }
    });
  }

  private interface Effect {
    void happen() throws StepFailed, IOException;
  }

  private void work(String verb, Job job, boolean cancellable, Effect effect)
      throws StepFailed, IOException, InterruptedException {
    Options options = options(job);
    Duration takes = options.millis(verb + "_ms", Duration.ZERO);
    long until = System.nanoTime() + takes.toNanos();
    job.progress(verb + " takes " + takes.toMillis() + " ms");
    for (long left = takes.toNanos(); left > 0; left = until - System.nanoTime()) {
      unlessCancelled(job, cancellable);
      Thread.sleep(Duration.ofNanos(Math.min(left, SLICE.toNanos())));
    }
    unlessCancelled(job, cancellable);
    Optional<Fault> fault = Fault.of(verb, options).filter(it -> it.hits(who(), version(job)));
    boolean hits = fault.isPresent() && count(verb, job) < fault.get().times();
    if (!hits || fault.get().after()) {
      effect.happen();
    }
    if (hits) {
      throw new StepFailed(fault.get().result());
    }
  }

  private static void unlessCancelled(Job job, boolean cancellable) throws StepFailed {
    if (cancellable && job.cancelled()) {
      throw StepFailed.cancelled();
    }
  }

  private String who() {
    return setup.host().tenant() + "." + setup.host().name();
  }

  private static String version(Job job) {
    return job.release().version();
  }

  private Options options(Job job) {
    return new Options(job.release().arguments()).orElse(setup.settings());
  }

  private long count(String verb, Job job) throws IOException {
    return withPackage(it -> it.count(verb + "." + version(job)));
  }

  private <T> T look(Function<SimulatedPackage, T> look) throws IOException {
    return withPackage(look);
  }

  private void change(Consumer<SimulatedPackage> change) throws IOException {
    withPackage(it -> {
      change.accept(it);
      return true;
    });
  }

  private synchronized <T> T withPackage(Function<SimulatedPackage, T> use) throws IOException {
    SortedMap<String, String> before = state.load();
    var it = new SimulatedPackage(before, setup.settings());
    it.boot(setup.host().bootId().get());
    T answer = use.apply(it);
    if (!it.texts().equals(before)) {
      state.save(it.texts());
    }
    return answer;
  }

  private Result answer(Work work) {
    return Work.answer(setup.host().files(), setup.state(), work);
  }
}
