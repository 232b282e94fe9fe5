package dev.uplift.agent.files;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;

/// The real disk, with somebody who is told before and after each operation and may fail it, or end
/// the process.
public final class WatchedFiles implements FileOps {
  /// Told what is done to which path.
  public interface Watcher {
    default void before(String operation, Path path) throws IOException {}

    default void after(String operation, Path path) throws IOException {}

    default Space space(Space found) {
      return found;
    }
  }

  private interface Operation<T> {
    T run() throws IOException;
  }

  private final FileOps disk = FileOps.onDisk();
  private final Watcher watcher;

  public WatchedFiles(Watcher watcher) {
    this.watcher = watcher;
  }

  private <T> T watched(String operation, Path path, Operation<T> run) throws IOException {
    watcher.before(operation, path);
    T result = run.run();
    watcher.after(operation, path);
    return result;
  }

  private interface Change {
    void run() throws IOException;
  }

  private void change(String operation, Path path, Change change) throws IOException {
    boolean _ =
        watched(
            operation,
            path,
            () -> {
              change.run();
              return true;
            });
  }

  @Override
  public Sink append(Path file) throws IOException {
    Sink sink = watched("open", file, () -> disk.append(file));
    return new Sink() {
      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        change("write", file, () -> sink.write(bytes, offset, length));
      }

      @Override
      public void force() throws IOException {
        change("force", file, sink::force);
      }

      @Override
      public void close() throws IOException {
        sink.close();
      }
    };
  }

  @Override
  public void truncate(Path file, long length) throws IOException {
    change("truncate", file, () -> disk.truncate(file, length));
  }

  @Override
  public void createFolder(Path folder) throws IOException {
    change("folder", folder, () -> disk.createFolder(folder));
  }

  @Override
  public void createLink(Path link, Path target) throws IOException {
    change("link", link, () -> disk.createLink(link, target));
  }

  @Override
  public void allowExecution(Path file) throws IOException {
    change("execute", file, () -> disk.allowExecution(file));
  }

  @Override
  public void hide(Path file) throws IOException {
    change("hide", file, () -> disk.hide(file));
  }

  @Override
  public void date(Path file, Instant at) throws IOException {
    change("date", file, () -> disk.date(file, at));
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    change("rename", to, () -> disk.rename(from, to));
  }

  @Override
  public void delete(Path path) throws IOException {
    change("delete", path, () -> disk.delete(path));
  }

  @Override
  public void force(Path path) throws IOException {
    change("force", path, () -> disk.force(path));
  }

  @Override
  public Space space(Path path) throws IOException {
    return watcher.space(disk.space(path));
  }
}
