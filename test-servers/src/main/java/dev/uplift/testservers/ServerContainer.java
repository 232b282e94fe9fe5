package dev.uplift.testservers;

import static java.util.Objects.requireNonNull;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.exception.ConflictException;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.Volume;
import com.github.dockerjava.api.model.WaitResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.testcontainers.containers.ContainerLaunchException;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.output.OutputFrame;
import org.testcontainers.containers.startupcheck.StartupCheckStrategy;

/// A container as a process: killed, paused and awaited like one. It shares our network and our user, and the folder
/// around its own lies where it lies here; so a server in it has the configuration, the port and the files that it has
/// as a process. It is gone when it ends.
final class ServerContainer extends Process {
  private static final int LOST = -1;

  private final DockerClient engine;
  private final String id;
  private final long pid;
  private final CompletableFuture<Integer> ended = new CompletableFuture<>();

  private ServerContainer(GenericContainer<?> started) {
    engine = started.getDockerClient();
    id = requireNonNull(started.getContainerId());
    pid = requireNonNull(started.getContainerInfo().getState().getPidLong());
    engine.waitContainerCmd(id).exec(new End());
  }

  /// Is a [dev.uplift.temporaldev.process.ProgramStarter].
  static Process start(ProcessBuilder prepared) throws IOException {
    Path program = Path.of(prepared.command().getFirst());
    Path folder = prepared.directory().toPath().toAbsolutePath();
    Path around = folder.resolveSibling("");
    Path log = prepared.redirectOutput().file().toPath();
    String user = attribute(around, "uid") + ":" + attribute(around, "gid");
    var container = new GenericContainer<>(ContainerImages.of(program.getFileName().toString()));
    container
        .withCommand(prepared.command().stream().skip(1).toArray(String[]::new))
        .withEnv(ours(prepared.environment()))
        .withWorkingDirectory(folder.toString())
        .withLogConsumer(frame -> append(log, frame))
        .withStartupCheckStrategy(new Started())
        .withCreateContainerCmdModifier(create -> create.withUser(user).withHostConfig(sharing(around)));
    try {
      container.start();
      return new ServerContainer(container);
    } catch (ContainerLaunchException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static Object attribute(Path file, String name) throws IOException {
    return Files.getAttribute(file, "unix:" + name);
  }

  private static HostConfig sharing(Path folder) {
    return new HostConfig()
        .withNetworkMode("host")
        .withAutoRemove(true)
        .withBinds(new Bind(folder.toString(), new Volume(folder.toString())));
  }

  /// Without what any process here has; but programs ask for the name of a user that images may not know.
  private static Map<String, String> ours(Map<String, String> environment) {
    Map<String, String> ours = new HashMap<>(environment);
    ours.entrySet().removeAll(System.getenv().entrySet());
    ours.put("USER", System.getProperty("user.name"));
    return ours;
  }

  private static void append(Path log, OutputFrame frame) {
    if (frame.getType() == OutputFrame.OutputType.END) {
      return;
    }
    try {
      Files.write(log, frame.getBytes(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Callers check whether it serves or has ended, as with a process.
  private static final class Started extends StartupCheckStrategy {
    @Override
    public StartupStatus checkStartupState(DockerClient engine, String id) {
      return StartupStatus.SUCCESSFUL;
    }
  }

  private final class End extends ResultCallback.Adapter<WaitResponse> {
    @Override
    public void onNext(WaitResponse end) {
      ended.complete(end.getStatusCode());
    }

    @Override
    public void onError(Throwable lost) {
      ended.complete(LOST);
      super.onError(lost);
    }
  }

  @Override
  public void destroy() {
    signal("TERM");
  }

  @Override
  public Process destroyForcibly() {
    signal("KILL");
    return this;
  }

  private void signal(String signal) {
    try {
      engine.killContainerCmd(id).withSignal(signal).exec();
    } catch (NotFoundException | ConflictException _) {
      // It has ended.
    }
  }

  @Override
  public int waitFor() throws InterruptedException {
    try {
      return ended.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public int exitValue() {
    if (!ended.isDone()) {
      throw new IllegalThreadStateException("it runs");
    }
    return ended.join();
  }

  /// As this machine counts.
  @Override
  public long pid() {
    return pid;
  }

  @Override
  public ProcessHandle toHandle() {
    return ProcessHandle.of(pid).orElseThrow(() -> new IllegalStateException("it has ended"));
  }

  @Override
  public OutputStream getOutputStream() {
    return OutputStream.nullOutputStream();
  }

  /// Its output is in its log.
  @Override
  public InputStream getInputStream() {
    return InputStream.nullInputStream();
  }

  @Override
  public InputStream getErrorStream() {
    return InputStream.nullInputStream();
  }
}
