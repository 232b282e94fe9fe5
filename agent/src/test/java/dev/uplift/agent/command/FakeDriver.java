package dev.uplift.agent.command;

import dev.uplift.agent.driver.Driver;
import dev.uplift.agent.driver.HaltRequest;
import dev.uplift.agent.driver.Job;
import dev.uplift.agent.driver.PackageReboot;
import dev.uplift.agent.driver.PackageState;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.PackageOffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;

/// Executes every step at once, unless prepared otherwise.
final class FakeDriver implements Driver {
  final List<String> log = new CopyOnWriteArrayList<>();
  volatile String version = "1.4.0";
  volatile String staged = "";
  volatile boolean trial;
  volatile Optional<PackageOffer> offer = Optional.empty();
  volatile CommandResult halts = new CommandResult.Done();
  volatile CommandResult resumes = new CommandResult.Done();
  volatile Optional<PackageReboot> ownReboot = Optional.empty();
  volatile Function<Job, CommandResult> prepares =
      job -> {
        staged = job.release().version();
        return new CommandResult.Done();
      };
  volatile Function<Job, CommandResult> upgrades =
      job -> {
        version = job.command().version();
        return new CommandResult.Done();
      };

  @Override
  public PackageState inspect() {
    return new PackageState(version, staged, trial, offer);
  }

  @Override
  public CommandResult prepare(Job job) {
    log.add("prepare");
    return prepares.apply(job);
  }

  @Override
  public CommandResult upgrade(Job job) {
    log.add("upgrade");
    return upgrades.apply(job);
  }

  @Override
  public CommandResult commit(Job job) {
    log.add("commit");
    trial = false;
    return new CommandResult.Done();
  }

  @Override
  public CommandResult rollback(Job job) {
    log.add("rollback");
    version = job.command().version();
    staged = "";
    return new CommandResult.Done();
  }

  @Override
  public CommandResult halt(HaltRequest request) {
    log.add("halt");
    return halts;
  }

  @Override
  public CommandResult resume(HaltRequest request) {
    log.add("resume");
    return resumes;
  }

  @Override
  public Optional<PackageReboot> ownReboot() {
    return ownReboot;
  }

  /// Holds a verb until it is let go, is cancelled, or its agent ends.
  static final class Hold implements Function<Job, CommandResult> {
    final CountDownLatch started = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);
    private final CommandResult result;

    Hold(CommandResult result) {
      this.result = result;
    }

    void release() {
      end.countDown();
    }

    @Override
    public CommandResult apply(Job job) {
      started.countDown();
      try {
        while (!end.await(5, java.util.concurrent.TimeUnit.MILLISECONDS)) {
          if (job.isCancelled()) {
            return new CommandResult.Cancelled();
          }
        }
        return result;
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        return new CommandResult.Failed(
            "interrupted", dev.uplift.protocol.WireErrorClass.RETRYABLE, "the agent is ending");
      }
    }
  }
}
