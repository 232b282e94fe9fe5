package dev.uplift.agent.files;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;

/// The real disk, with an observer that is called before and after each operation and may fail it, or end the process.
public final class ObservedFileOps implements FileOps {
  /// Told what is done to which path.
  public interface Observer {
    default void before(String operation, Path path) throws IOException {}

    default void after(String operation, Path path) throws IOException {}

    default DiskSpace space(DiskSpace found) {
      return found;
    }
  }

  private interface Operation<T> {
    T run() throws IOException;
  }

  private final FileOps disk = FileOps.onDisk();
  private final Observer observer;

  public ObservedFileOps(Observer observer) {
    this.observer = observer;
  }

  private <T> T observe(String operation, Path path, Operation<T> run) throws IOException {
    observer.before(operation, path);
    T result = run.run();
    observer.after(operation, path);
    return result;
  }

  private interface Change {
    void run() throws IOException;
  }

  private void change(String operation, Path path, Change change) throws IOException {
    boolean _ =
        observe(
            operation,
            path,
            () -> {
              change.run();
              return true;
            });
  }

  @Override
  public Sink append(Path file) throws IOException {
    return observed(file, observe("open", file, () -> disk.append(file)));
  }

  @Override
  public Sink createPrivate(Path file) throws IOException {
    return observed(file, observe("open private", file, () -> disk.createPrivate(file)));
  }

  private Sink observed(Path file, Sink sink) {
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
  public void createPrivateFolder(Path folder) throws IOException {
    change("private folder", folder, () -> disk.createPrivateFolder(folder));
  }

  @Override
  public void createLink(Path link, Path target) throws IOException {
    change("link", link, () -> disk.createLink(link, target));
  }

  @Override
  public void makeExecutable(Path file) throws IOException {
    change("execute", file, () -> disk.makeExecutable(file));
  }

  @Override
  public void setModifiedTime(Path file, Instant at) throws IOException {
    change("date", file, () -> disk.setModifiedTime(file, at));
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
  public DiskSpace space(Path path) throws IOException {
    return observer.space(disk.space(path));
  }
}
