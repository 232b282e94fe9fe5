package dev.uplift.agent.files;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Set;

/// The real thing.
final class DiskFileOps implements FileOps {

  @Override
  public Sink append(Path file) throws IOException {
    return new ChannelSink(FileChannel.open(file, CREATE, WRITE, APPEND));
  }

  @Override
  public Sink createPrivate(Path file) throws IOException {
    var ownerOnly = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    return new ChannelSink(FileChannel.open(file, Set.of(CREATE_NEW, WRITE), ownerOnly));
  }

  private record ChannelSink(FileChannel channel) implements Sink {
    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      ByteBuffer rest = ByteBuffer.wrap(bytes, offset, length);
      while (rest.hasRemaining()) {
        channel.write(rest);
      }
    }

    @Override
    public void force() throws IOException {
      channel.force(true);
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  @Override
  public void truncate(Path file, long length) throws IOException {
    try (FileChannel channel = FileChannel.open(file, WRITE)) {
      channel.truncate(length);
    }
  }

  @Override
  public void createFolder(Path folder) throws IOException {
    try {
      Files.createDirectory(folder);
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
        throw e;
      }
    }
  }

  @Override
  public void createPrivateFolder(Path folder) throws IOException {
    var ownerOnly = PosixFilePermissions.fromString("rwx------");
    try {
      Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(ownerOnly));
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
        throw e;
      }
      Files.setPosixFilePermissions(folder, ownerOnly);
    }
  }

  @Override
  public void createLink(Path link, Path target) throws IOException {
    Files.createSymbolicLink(link, target);
  }

  @Override
  public void makeExecutable(Path file) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @Override
  public void setModifiedTime(Path file, Instant at) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(at));
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void delete(Path path) throws IOException {
    Files.deleteIfExists(path);
  }

  @Override
  public void force(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, READ)) {
      channel.force(true);
    }
  }

  @Override
  public DiskSpace space(Path path) throws IOException {
    Path there = path.toAbsolutePath();
    while (!Files.exists(there) && there.getParent() != null) {
      there = there.getParent();
    }
    FileStore store = Files.getFileStore(there);
    return new DiskSpace(store.getUsableSpace(), store.getTotalSpace());
  }
}
