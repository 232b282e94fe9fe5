package dev.uplift.agent.driver.script;

import dev.uplift.agent.driver.Driver;
import dev.uplift.agent.driver.Found;
import dev.uplift.agent.driver.Job;
import dev.uplift.agent.driver.KeyValues;
import dev.uplift.agent.driver.Setup;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.driver.Work;
import dev.uplift.agent.driver.session.Ending;
import dev.uplift.agent.driver.session.Session;
import dev.uplift.agent.driver.session.Session.Terms;
import dev.uplift.agent.driver.session.Sessions;
import dev.uplift.protocol.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.BooleanSupplier;

/// Has the operator's own programs do the work. What they answer is checked against what their
/// `inspect` measures.
public final class ScriptDriver implements Driver {
  private static final Duration GRACE = Duration.ofSeconds(10);

  private final Setup setup;
  private final Sessions sessions;
  private final Call call;

  public ScriptDriver(Setup setup) {
    this.setup = setup;
    this.sessions = new Sessions(setup.host(), setup.state().resolve("run"));
    this.call = new Call(setup, setup.state().resolve("keep"));
  }

  @Override
  public Found inspect() {
    if (!isThere(Verb.INSPECT)) {
      return Found.nothing();
    }
    try {
      var answer = sessions.probe("inspect", call.inspect(), limit(Verb.INSPECT), _ -> {});
      return answer.ending().isSuccess() ? found(answer.output()) : Found.nothing();
    } catch (IOException | StepFailed _) {
      // What cannot be measured is unknown: the contract of `inspect`.
      return Found.nothing();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return Found.nothing();
    }
  }

  private static Found found(String output) {
    SortedMap<String, String> said = KeyValues.read(output);
    String version = said.getOrDefault("version", "").strip();
    return new Found(
        version.isEmpty() ? Found.UNKNOWN : version,
        said.getOrDefault("staged", "").strip(),
        said.getOrDefault("trial", "").strip().equals("true"));
  }

  @Override
  public Result prepare(Job job) {
    if (!isThere(Verb.PREPARE) && job.release().artifact().isEmpty()) {
      return new Result.Done();
    }
    return answer(() -> run(Verb.PREPARE, job));
  }

  @Override
  public Result upgrade(Job job) {
    return answer(
        () -> job.cancelled() ? new Result.Cancelled() : checked(run(Verb.UPGRADE, job), job));
  }

  @Override
  public Result commit(Job job) {
    return isThere(Verb.COMMIT) ? answer(() -> run(Verb.COMMIT, job)) : new Result.Done();
  }

  @Override
  public Result rollback(Job job) {
    return answer(() -> checked(run(Verb.ROLLBACK, job), job));
  }

  /// A program that says it is done, while another version runs, is not believed.
  private Result checked(Result said, Job job) throws StepFailed {
    String version = inspect().version();
    boolean other = !version.equals(job.command().version()) && !version.equals(Found.UNKNOWN);
    if (said instanceof Result.Done && other) {
      throw StepFailed.fatal(
          "version-mismatch",
          "done, says the script, but `inspect` finds %s, not %s"
              .formatted(version, job.command().version()));
    }
    return said;
  }

  private Result run(Verb verb, Job job) throws StepFailed, IOException, InterruptedException {
    if (!isThere(verb)) {
      String text = "no executable " + call.executable(verb);
      throw verb == Verb.ROLLBACK
          ? StepFailed.declined("no-script", text)
          : StepFailed.fatal("no-script", text);
    }
    setup.host().files().createFolders(call.keep());
    String name = job.command().id();
    Optional<Path> artifact = artifact(verb, job);
    Session session = sessions.open(name, call.of(verb, job, inspect().version(), artifact));
    Ending ending = session.await(terms(verb, job), job::progress, job::log);
    Result result = Reply.of(verb, ending, session.output());
    if (result instanceof Result.Failed) {
      // Asked again, it tries again.
      sessions.forget(name);
    }
    return result;
  }

  /// Only `prepare` may be broken off: of anything else it is not known what it has changed.
  private Terms terms(Verb verb, Job job) throws StepFailed {
    BooleanSupplier cancelled = verb == Verb.PREPARE ? job::cancelled : () -> false;
    return new Terms(limit(verb), cancelled, GRACE);
  }

  /// For `prepare`, unless it has been started: then it has the file.
  private Optional<Path> artifact(Verb verb, Job job) throws StepFailed, IOException {
    boolean wanted =
        verb == Verb.PREPARE
            && job.release().artifact().isPresent()
            && !sessions.isKnown(job.command().id());
    return wanted ? Optional.of(job.artifact()) : Optional.empty();
  }

  private Duration limit(Verb verb) throws StepFailed {
    return setup.settings().seconds(verb.word() + "_s", verb.limit());
  }

  private boolean isThere(Verb verb) {
    return Files.isExecutable(call.executable(verb));
  }

  private Result answer(Work work) {
    return Work.answer(setup.host().files(), setup.state(), work);
  }
}
