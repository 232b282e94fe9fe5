package dev.uplift.agent.command;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import dev.uplift.agent.driver.Driver;
import dev.uplift.agent.driver.HaltRequest;
import dev.uplift.agent.driver.HostPackage;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.journal.PackageHalts;
import dev.uplift.agent.report.ServerClock;
import dev.uplift.agent.transport.WakeSignal;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.Order;
import dev.uplift.protocol.PackageHalt;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.locks.ReentrantLock;

/// Halts packages for barriers, and has them resume: when a command says so, or by itself when the time is over.
///
/// The halt is recorded before the driver is asked, so that a resume undoes all that the driver did. A failed halt
/// stays recorded too, until the host resumes.
final class HaltController {
  private static final System.Logger LOG = System.getLogger(HaltController.class.getName());

  /// Interval for saving the time that is left, and for retrying a failed resume.
  private static final Duration MAX_PAUSE = Duration.ofMinutes(1);

  private final PackageHalts halts;
  private final SortedMap<String, HostPackage> packages;
  private final ServerClock clock;
  private final Runnable onChange;
  private final WakeSignal changed = new WakeSignal();

  /// Held while the driver of a package is asked for a verb.
  private final Map<String, ReentrantLock> locks = new HashMap<>();

  /// @param onChange called after something was halted, or has resumed by itself
  HaltController(PackageHalts halts, SortedMap<String, HostPackage> packages, ServerClock clock, Runnable onChange) {
    this.halts = halts;
    this.packages = packages;
    this.clock = clock;
    this.onChange = onChange;
    for (String packageName : packages.keySet()) {
      locks.put(packageName, new ReentrantLock());
    }
  }

  /// Returns the lock that is held while the driver of a package is asked for a verb.
  ReentrantLock lockOf(String packageName) {
    ReentrantLock lock = locks.get(packageName);
    // Of a package that is not on this host there is no driver.
    return lock == null ? new ReentrantLock() : lock;
  }

  /// @throws StepFailed `halted`, if nothing of the package may be installed now
  void requireNotHalted(Command command) throws StepFailed {
    String packageName = command.packageName();
    Optional<PackageHalt> halt = halts.find(packageName);
    if (halt.isPresent() && !isOver(packageName)) {
      throw StepFailed.declined("halted", halt.get().describe(packageName));
    }
  }

  private boolean isOver(String packageName) {
    return !halts.timeLeft(packageName, clock.earliest()).isPositive();
  }

  /// @throws StepFailed if this host has no such package, or the time is over
  CommandResult halt(CommandJob commandJob, Order.Halt order) throws StepFailed, IOException, InterruptedException {
    Command command = commandJob.command();
    Driver driver = driver(command);
    var halt = new PackageHalt(order.barrier(), order.until());
    ReentrantLock lock = lockOf(command.packageName());
    lock.lockInterruptibly();
    try {
      Duration left = Duration.between(clock.estimated().orElse(command.issuedAt()), order.until());
      if (!left.isPositive()) {
        throw StepFailed.fatal("expired", "the host would have resumed by now: " + order.until());
      }
      halts.set(command.packageName(), halt, left);
      changed.signal();
      return driver.halt(request(command.id(), halt, command.timeout(), commandJob));
    } finally {
      lock.unlock();
    }
  }

  /// @throws StepFailed if this host has no such package
  CommandResult resume(CommandJob commandJob, Order.Resume order) throws StepFailed, IOException, InterruptedException {
    Command command = commandJob.command();
    Driver driver = driver(command);
    ReentrantLock lock = lockOf(command.packageName());
    lock.lockInterruptibly();
    try {
      // A host that has lost its state does not know that it was halted.
      PackageHalt halt =
          halts.find(command.packageName()).orElseGet(() -> new PackageHalt(order.barrier(), command.notAfter()));
      return halt.barrier().equals(order.barrier())
          ? resume(driver, command.packageName(), request(command.id(), halt, command.timeout(), commandJob))
          : new CommandResult.Done();
    } finally {
      lock.unlock();
    }
  }

  private CommandResult resume(Driver driver, String packageName, HaltRequest request) throws IOException {
    CommandResult result = driver.resume(request);
    if (result instanceof CommandResult.Done) {
      halts.end(packageName, new PackageHalt(request.barrier(), request.until()));
    }
    return result;
  }

  private Driver driver(Command command) throws StepFailed {
    HostPackage known = packages.get(command.packageName());
    if (known == null) {
      throw StepFailed.fatal("unknown-package", "this host has no package " + command.packageName());
    }
    return known.driver();
  }

  private static HaltRequest request(String id, PackageHalt halt, Duration timeout, CommandJob commandJob) {
    return new HaltRequest(id, halt.barrier(), halt.until(), timeout, commandJob::log);
  }

  /// Has packages resume whose time is over. Ends with an interrupt.
  void run() {
    try {
      while (true) {
        resumeOverdue();
        saveTimeLeft();
        boolean _ = changed.await(pause());
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private Duration pause() {
    Duration pause = MAX_PAUSE;
    for (String packageName : halts.all().keySet()) {
      Duration left = halts.timeLeft(packageName, clock.earliest());
      if (left.isPositive() && left.compareTo(pause) < 0) {
        pause = left;
      }
    }
    return pause;
  }

  private void resumeOverdue() throws InterruptedException {
    for (Map.Entry<String, PackageHalt> each : halts.all().entrySet()) {
      if (isOver(each.getKey())) {
        resumeByItself(each.getKey(), each.getValue());
      }
    }
  }

  private void resumeByItself(String packageName, PackageHalt halt) throws InterruptedException {
    HostPackage known = packages.get(packageName);
    ReentrantLock lock = lockOf(packageName);
    lock.lockInterruptibly();
    try {
      if (known == null) {
        halts.end(packageName, halt);
      } else if (halts.find(packageName).filter(halt::equals).isPresent()) {
        var request =
            new HaltRequest(
                "resume-" + halt.barrier(), halt.barrier(), halt.until(), Duration.ZERO, line -> LOG.log(INFO, line));
        LOG.log(INFO, "{0} resumes by itself: {1}", packageName, resume(known.driver(), packageName, request));
      }
    } catch (IOException e) {
      LOG.log(WARNING, "{0} resumes by itself later: {1}", packageName, e.toString());
    } finally {
      lock.unlock();
    }
    onChange.run();
  }

  private void saveTimeLeft() {
    try {
      halts.saveTimeLeft();
    } catch (IOException e) {
      LOG.log(WARNING, "the time left of halts is not saved: {0}", e.toString());
    }
  }
}
