package dev.uplift.agent.core;

import dev.uplift.agent.driver.Driver;
import dev.uplift.agent.driver.Found;
import dev.uplift.agent.driver.Job;
import dev.uplift.protocol.Result;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;

/// Does at once what it is asked for, unless it is told otherwise.
final class FakeDriver implements Driver {
  final List<String> log = new CopyOnWriteArrayList<>();
  volatile String version = "1.4.0";
  volatile String staged = "";
  volatile boolean trial;
  volatile Function<Job, Result> prepares =
      job -> {
        staged = job.release().version();
        return new Result.Done();
      };
  volatile Function<Job, Result> upgrades =
      job -> {
        version = job.command().version();
        return new Result.Done();
      };

  @Override
  public Found inspect() {
    return new Found(version, staged, trial);
  }

  @Override
  public Result prepare(Job job) {
    log.add("prepare");
    return prepares.apply(job);
  }

  @Override
  public Result upgrade(Job job) {
    log.add("upgrade");
    return upgrades.apply(job);
  }

  @Override
  public Result commit(Job job) {
    log.add("commit");
    trial = false;
    return new Result.Done();
  }

  @Override
  public Result rollback(Job job) {
    log.add("rollback");
    version = job.command().version();
    staged = "";
    return new Result.Done();
  }

  /// Holds a verb until it is let go, is cancelled, or its agent ends.
  static final class Hold implements Function<Job, Result> {
    final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);
    private final Result result;

    Hold(Result result) {
      this.result = result;
    }

    void letGo() {
      end.countDown();
    }

    @Override
    public Result apply(Job job) {
      begun.countDown();
      try {
        while (!end.await(5, java.util.concurrent.TimeUnit.MILLISECONDS)) {
          if (job.cancelled()) {
            return new Result.Cancelled();
          }
        }
        return result;
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        return new Result.Failed(
            "interrupted", dev.uplift.protocol.ErrorClass.RETRYABLE, "the agent is ending");
      }
    }
  }
}
