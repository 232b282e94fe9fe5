package dev.uplift.agent.download;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.files.FileOps;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.ReleaseManifest.Artifact;
import dev.uplift.protocol.WireErrorClass;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A server with one artifact, and a disk to fetch it to.
@Timeout(300)
abstract class DownloadScenario {
  static final int SIZE = 300_000;
  static final byte[] CONTENT = bytes(SIZE, 1);
  static final Artifact ARTIFACT = new Artifact(SIZE, sha256(CONTENT));

  /// Nothing within a test is so slow.
  private static final DownloadTimeouts LONG_TIMEOUTS =
      new DownloadTimeouts(Duration.ofMinutes(2), Duration.ofMinutes(2), Duration.ofMinutes(2), 1);

  @TempDir Path folder;

  final FaultyHttpServer server = new FaultyHttpServer(CONTENT);
  final List<String> progress = new ArrayList<>();
  FileOps files = FileOps.onDisk();
  DownloadTimeouts timeouts = LONG_TIMEOUTS;
  BooleanSupplier cancelled = () -> false;

  @AfterEach
  void close() {
    server.close();
  }

  final Path fetch() throws StepFailed {
    return fetch(server.address());
  }

  final Path fetch(String address) throws StepFailed {
    return new Downloader(files, folder, timeouts)
        .fetch(address, ARTIFACT, new DownloadControl(cancelled, progress::add));
  }

  final CommandResult failure() {
    return failure(server.address());
  }

  /// Without its text.
  final CommandResult failure(String address) {
    var failure = catchThrowableOfType(StepFailed.class, () -> fetch(address));
    assertThat(failure).as("a failure").isNotNull();
    return failure.result() instanceof CommandResult.Failed it ? failed(it.code(), it.errorClass()) : failure.result();
  }

  static CommandResult.Failed failed(String code, WireErrorClass wireErrorClass) {
    return new CommandResult.Failed(code, wireErrorClass, "");
  }

  static byte[] bytes(int count, long seed) {
    byte[] bytes = new byte[count];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
