package dev.uplift.services.scheduling;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// Has files read again that change while the server runs, such as secrets.
///
/// Compares their content: files are exchanged in many ways, and those of Kubernetes are links to links. Content counts
/// once two looks in a row have found it, so that files which are being written are left alone.
public final class FileWatcher implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FileWatcher.class);

  private final Duration interval;
  private final PeriodicTasks tasks = new PeriodicTasks();
  private final List<Watch> watches = new CopyOnWriteArrayList<>();

  /// A watcher of no file yet.
  ///
  /// @param interval between two looks at a file
  public FileWatcher(Duration interval) {
    this.interval = interval;
  }

  /// Reads files. If it fails, what was read before stays in use, and it is called again: after the next change if the
  /// content is at fault, otherwise at each look.
  @FunctionalInterface
  public interface Reader {
    /// Reads them, and uses what is in them.
    ///
    /// @throws IOException if the content cannot be used
    /// @throws IllegalArgumentException likewise
    /// @throws RuntimeException if it cannot be used yet
    void read() throws IOException;
  }

  /// Calls `reader` once after two intervals, because the files may have changed since they were read first, and then
  /// within two intervals of each change. What has changed since this call is in the log once it is in use.
  ///
  /// @param what the name of what is in them, for the log
  public FileWatcher watch(String what, List<Path> files, Reader reader) {
    var watch = new Watch(what, List.copyOf(files), reader);
    watches.add(watch);
    tasks.schedule(interval, "watch-" + what.replace(' ', '-'), watch::check);
    return this;
  }

  /// What was found in files and is not in use.
  ///
  /// @param what its name
  /// @param cause why it cannot be used
  public record Unusable(String what, List<Path> files, String cause) {}

  /// Returns what cannot be used, as it was found last; what was read before is in use instead.
  public List<Unusable> unusable() {
    return watches.stream().flatMap(watch -> watch.unusable().stream()).toList();
  }

  /// Returns how many things are watched.
  public int size() {
    return watches.size();
  }

  /// Files that are read again when they have changed.
  static final class Watch {
    private final String what;
    private final List<Path> files;
    private final Reader reader;
    private final String first;
    private String found = "";
    private String read = "";
    private boolean isRetried;
    private volatile Optional<Unusable> unusable = Optional.empty();

    Watch(String what, List<Path> files, Reader reader) {
      this.what = what;
      this.files = files;
      this.reader = reader;
      this.first = fingerprint();
    }

    /// Looks at them.
    void check() {
      String before = found;
      found = fingerprint();
      boolean isNew = !found.equals(read);
      if (!found.equals(before) || !(isNew || isRetried)) {
        return;
      }
      boolean hasChanged = !(read.isEmpty() && found.equals(first));
      read = found;
      isRetried = false;
      try {
        reader.read();
        unusable = Optional.empty();
        if (hasChanged) {
          LOG.info("{}: changed, and in use", what);
        }
      } catch (IOException | IllegalArgumentException e) {
        reject(e, isNew, "cannot be used, so the one before stays in use");
      } catch (RuntimeException e) {
        isRetried = true;
        reject(e, isNew, "cannot be used yet, so the one before stays in use and it is tried again");
      }
    }

    private void reject(Exception e, boolean isNew, String text) {
      unusable = Optional.of(new Unusable(what, files, e.toString()));
      LOG.atLevel(isNew ? Level.WARN : Level.DEBUG).log("{}: {}: {}", what, text, e.toString());
    }

    Optional<Unusable> unusable() {
      return unusable;
    }

    /// Differs whenever the content of a file does, also if one appears or becomes unreadable.
    private String fingerprint() {
      return files.stream().map(Watch::fingerprint).collect(joining(" "));
    }

    private static String fingerprint(Path file) {
      try {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
      } catch (IOException e) {
        return e.toString();
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every JDK has SHA-256", e);
      }
    }
  }

  @Override
  public void close() {
    tasks.close();
  }
}
