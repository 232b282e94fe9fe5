package dev.uplift.agent.driver.simulated;

import dev.uplift.agent.driver.Driver;
import dev.uplift.agent.driver.DriverStep;
import dev.uplift.agent.driver.HaltRequest;
import dev.uplift.agent.driver.Job;
import dev.uplift.agent.driver.PackageContext;
import dev.uplift.agent.driver.PackageOptions;
import dev.uplift.agent.driver.PackageState;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.protocol.CommandResult;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.function.Function;

/// Follows the release's arguments and the host's settings: takes its time, fails, asks for a reboot, is on trial.
public final class SimulatedDriver implements Driver {
  private static final Duration SLEEP_SLICE = Duration.ofMillis(200);

  private final PackageContext packageContext;
  private final SimulatedState state;

  public SimulatedDriver(PackageContext packageContext, SimulatedState state) {
    this.packageContext = packageContext;
    this.state = state;
  }

  /// Remembers itself in the package's state folder.
  public static SimulatedDriver open(PackageContext packageContext) {
    return new SimulatedDriver(
        packageContext, SimulatedState.inFile(packageContext.host().files(), packageContext.stateFolder()));
  }

  @Override
  public PackageState inspect() {
    try {
      return read(SimulatedPackage::toPackageState);
    } catch (IOException _) {
      // Unmeasurable is unknown: the contract of `inspect`.
      return PackageState.unknown();
    }
  }

  @Override
  public CommandResult prepare(Job job) {
    return resultOf(() -> {
      String version = job.release().version();
      work("prepare", job, true, () -> change(it -> prepare(it, version)));
      return new CommandResult.Done();
    });
  }

  private static void prepare(SimulatedPackage it, String version) {
    if (!it.version().equals(version) || it.isOfferedUpdates()) {
      it.stage(version);
    }
  }

  @Override
  public CommandResult upgrade(Job job) {
    return resultOf(() -> {
      String version = job.command().version();
      String becomes = options(job).text("becomes").orElse(version);
      boolean isStaged = read(it -> it.isStaged(version));
      Optional<CommandResult> already = read(it -> resultIfDone(it, becomes));
      if (already.isPresent() && !isStaged) {
        return already.get();
      }
      if (!isStaged) {
        throw StepFailed.fatal("not-prepared", version + " is not staged here");
      }
      boolean trial = options(job).flag("trial");
      work(
          "upgrade",
          job,
          true,
          () -> {
            switchTo(becomes, trial, job);
            change(SimulatedPackage::takeOffer);
          });
      return resultOfState();
    });
  }

  @Override
  public CommandResult commit(Job job) {
    return resultOf(() -> {
      work("commit", job, false, () -> change(SimulatedPackage::endTrial));
      return new CommandResult.Done();
    });
  }

  @Override
  public CommandResult rollback(Job job) {
    return resultOf(() -> {
      String version = job.command().version();
      Optional<CommandResult> already = read(it -> resultIfDone(it, version));
      if (already.isPresent()) {
        change(it -> it.stage(""));
        return already.get();
      }
      work(
          "rollback",
          job,
          false,
          () -> {
            switchTo(version, false, job);
            change(SimulatedPackage::restoreOffer);
          });
      return resultOfState();
    });
  }

  @Override
  public CommandResult halt(HaltRequest request) {
    return resultOf(() -> {
      Optional<SimulatedFailure> fault =
          SimulatedFailure.parse("halt", packageContext.settings()).filter(it -> it.appliesTo(hostName(), ""));
      if (fault.isPresent()) {
        throw new StepFailed(fault.get().result());
      }
      change(it -> it.halt(request.barrier()));
      return new CommandResult.Done();
    });
  }

  @Override
  public CommandResult resume(HaltRequest request) {
    return resultOf(() -> {
      change(it -> it.halt(""));
      return new CommandResult.Done();
    });
  }

  private static Optional<CommandResult> resultIfDone(SimulatedPackage it, String version) {
    if (it.isPending(version)) {
      return Optional.of(new CommandResult.RebootRequired());
    }
    return it.version().equals(version) && !it.isPending() ? Optional.of(new CommandResult.Done()) : Optional.empty();
  }

  private CommandResult resultOfState() throws IOException {
    return read(SimulatedPackage::isPending) ? new CommandResult.RebootRequired() : new CommandResult.Done();
  }

  private void switchTo(String version, boolean trial, Job job) throws StepFailed, IOException {
    boolean reboot = options(job).flag("reboot");
    String bootId = packageContext.host().bootId().get();
    change(it -> {
      if (trial) {
        it.beginTrial(bootId);
      } else {
        it.endTrial();
      }
      // Back where it runs already: nothing is left to boot into.
      if (reboot && !it.version().equals(version)) {
        it.switchToAtNextBoot(version, bootId);
      } else {
        it.switchTo(version);
      }
    });
  }

  private interface Change {
    void apply() throws StepFailed, IOException;
  }

  private void work(String verb, Job job, boolean cancellable, Change change)
      throws StepFailed, IOException, InterruptedException {
    PackageOptions packageOptions = options(job);
    Duration takes = packageOptions.millis(verb + "_ms", Duration.ZERO);
    long until = System.nanoTime() + takes.toNanos();
    job.reportProgress(verb + " takes " + takes.toMillis() + " ms");
    for (long left = takes.toNanos(); left > 0; left = until - System.nanoTime()) {
      requireNotCancelled(job, cancellable);
      Thread.sleep(Duration.ofNanos(Math.min(left, SLEEP_SLICE.toNanos())));
    }
    requireNotCancelled(job, cancellable);
    Optional<SimulatedFailure> fault =
        SimulatedFailure.parse(verb, packageOptions).filter(it -> it.appliesTo(hostName(), version(job)));
    boolean hits = fault.isPresent() && count(verb, job) < fault.get().times();
    if (!hits || fault.get().afterWork()) {
      change.apply();
    }
    if (hits) {
      throw new StepFailed(fault.get().result());
    }
  }

  private static void requireNotCancelled(Job job, boolean cancellable) throws StepFailed {
    if (cancellable && job.isCancelled()) {
      throw StepFailed.cancelled();
    }
  }

  private String hostName() {
    return packageContext.host().tenant() + "." + packageContext.host().name();
  }

  private static String version(Job job) {
    return job.release().version();
  }

  private PackageOptions options(Job job) {
    return new PackageOptions(job.release().arguments()).withFallback(packageContext.settings());
  }

  private long count(String verb, Job job) throws IOException {
    return withPackage(it -> it.count(verb + "." + version(job)));
  }

  private <T> T read(Function<SimulatedPackage, T> look) throws IOException {
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
    var it = new SimulatedPackage(before, packageContext.settings());
    it.boot(packageContext.host().bootId().get());
    T answer = use.apply(it);
    if (!it.values().equals(before)) {
      state.save(it.values());
    }
    return answer;
  }

  private CommandResult resultOf(DriverStep driverStep) {
    return DriverStep.resultOf(packageContext.host().files(), packageContext.stateFolder(), driverStep);
  }
}
