package dev.uplift.agent.driver.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;

/// Follows a file that a program writes, line by line. What comes faster than it can be followed is left out.
final class OutputTail {
  private static final int MAX_READ = 32 * 1024;

  private final Path file;
  private long position;

  OutputTail(Path file) {
    this.file = file;
  }

  /// Hands on the lines that were finished since the last call.
  void forward(Consumer<String> lines) throws IOException {
    forward(lines, false);
  }

  /// Hands on all that is left, though its last line may not be finished.
  void forwardRest(Consumer<String> lines) throws IOException {
    forward(lines, true);
  }

  private void forward(Consumer<String> lines, boolean unfinishedToo) throws IOException {
    if (!Files.exists(file)) {
      return;
    }
    long length = Files.size(file);
    if (length < position) {
      position = 0;
    }
    position = Math.max(position, length - MAX_READ);
    byte[] bytes = read(file, position);
    int end = bytes.length;
    while (!unfinishedToo && end > 0 && bytes[end - 1] != '\n') {
      end--;
    }
    new String(bytes, 0, end, UTF_8).lines().forEach(lines);
    position += end;
  }

  /// The last part of a file, empty if there is none.
  static String last(Path file) throws IOException {
    return Files.exists(file) ? new String(read(file, Math.max(0, Files.size(file) - MAX_READ)), UTF_8) : "";
  }

  private static byte[] read(Path file, long from) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer buffer = ByteBuffer.allocate(MAX_READ);
      channel.position(from);
      while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
        // Until it is full or the file ends.
      }
      byte[] bytes = new byte[buffer.position()];
      buffer.flip().get(bytes);
      return bytes;
    }
  }
}
