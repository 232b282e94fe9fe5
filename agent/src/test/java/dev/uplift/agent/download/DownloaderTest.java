package dev.uplift.agent.download;

import static dev.uplift.agent.download.LyingServer.breakAfter;
import static dev.uplift.agent.download.LyingServer.endless;
import static dev.uplift.agent.download.LyingServer.fallSilentAfter;
import static dev.uplift.agent.download.LyingServer.ignoreTheRange;
import static dev.uplift.agent.download.LyingServer.startElsewhere;
import static dev.uplift.agent.download.LyingServer.status;
import static dev.uplift.agent.download.LyingServer.trickle;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.files.FileOps;
import dev.uplift.agent.files.Space;
import dev.uplift.agent.files.WatchedFiles;
import dev.uplift.protocol.ErrorClass;
import dev.uplift.protocol.ReleaseManifest.Artifact;
import dev.uplift.protocol.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class DownloaderTest {
  private static final int SIZE = 300_000;
  private static final byte[] CONTENT = bytes(SIZE, 1);
  private static final Artifact ARTIFACT = new Artifact(SIZE, sha256(CONTENT));
  private static final Patience SHORT =
      new Patience(Duration.ofSeconds(5), Duration.ofMillis(300), Duration.ofMillis(200), 1000);

  @TempDir private Path folder;

  private final LyingServer server = new LyingServer(CONTENT);
  private final List<String> progress = new ArrayList<>();
  private FileOps files = FileOps.onDisk();
  private BooleanSupplier cancelled = () -> false;

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void anArtifactIsFetchedVerifiedAndThenHasItsName() throws StepFailed {
    Path file = fetch();

    assertThat(file).hasFileName(ARTIFACT.sha256()).hasBinaryContent(CONTENT);
    assertThat(folder).isDirectoryNotContaining("glob:**.{part,tag}");
  }

  @Test
  void whatIsThereIsNotFetchedAgain() throws StepFailed {
    fetch();

    fetch();

    assertThat(server.requests()).hasSize(1);
  }

  @Test
  void whatLiesThereDamagedIsFetchedAgain() throws StepFailed, IOException {
    Files.write(fetch(), bytes(SIZE, 2));

    assertThat(fetch()).hasBinaryContent(CONTENT);
  }

  @Test
  void aBrokenDownloadIsRetryableAndGoesOnWhereItBroke() throws StepFailed {
    server.then(breakAfter(100_000)).then(breakAfter(50_000));

    assertThat(failure()).isEqualTo(failed("download-failed", ErrorClass.RETRYABLE));
    assertThat(failure()).isEqualTo(failed("download-failed", ErrorClass.RETRYABLE));
    assertThat(fetch()).hasBinaryContent(CONTENT);
    assertThat(server.requests()).containsExactly("-", "bytes=100000-", "bytes=150000-");
  }

  @Test
  void aServerThatIgnoresTheRangeIsTakenFromTheStart() throws StepFailed {
    server.then(breakAfter(100_000)).then(ignoreTheRange());
    failure();

    assertThat(fetch()).hasBinaryContent(CONTENT);
  }

  @Test
  void aPartThatStartsElsewhereIsNotTaken() throws StepFailed {
    server.then(breakAfter(100_000)).then(startElsewhere(90_000));
    failure();

    assertThat(fetch()).hasBinaryContent(CONTENT);
    assertThat(server.requests()).containsExactly("-", "bytes=100000-", "-");
  }

  @Test
  void whenTheServerHasAnotherFileByNowThePartIsNotMixedIntoIt() throws StepFailed {
    server.serve(bytes(SIZE, 3), "\"other\"");
    server.then(breakAfter(100_000));
    failure();
    server.serve(CONTENT, "\"one\"");

    assertThat(fetch()).hasBinaryContent(CONTENT);
    assertThat(server.requests()).containsExactly("-", "bytes=100000-");
  }

  @Test
  void aPartThatWasDamagedByALossOfPowerIsFetchedOnceMore() throws StepFailed, IOException {
    server.then(breakAfter(100_000));
    failure();
    Files.write(folder.resolve(ARTIFACT.sha256() + ".part"), new byte[100_000]);

    assertThat(fetch()).hasBinaryContent(CONTENT);
    assertThat(server.requests()).containsExactly("-", "bytes=100000-", "-");
  }

  @Test
  void aWholePartIsVerifiedWithoutAskingTheServer() throws StepFailed, IOException {
    Files.write(folder.resolve(ARTIFACT.sha256() + ".part"), CONTENT);

    assertThat(fetch()).hasBinaryContent(CONTENT);
    assertThat(server.requests()).isEmpty();
  }

  @Test
  void aPartThatIsTooLongIsDropped() throws StepFailed, IOException {
    Files.write(folder.resolve(ARTIFACT.sha256() + ".part"), bytes(SIZE + 1, 1));

    assertThat(fetch()).hasBinaryContent(CONTENT);
  }

  @Test
  void aRangeThatCannotBeSatisfiedStartsOver() throws StepFailed {
    server.then(breakAfter(100_000)).then(status(416));
    failure();

    assertThat(fetch()).hasBinaryContent(CONTENT);
    assertThat(server.requests()).containsExactly("-", "bytes=100000-", "-");
  }

  @Test
  void otherBytesThanWereSignedAreAWrongDigestAndAreNotKept() {
    server.serve(bytes(SIZE, 4), "\"one\"");

    assertThat(failure()).isEqualTo(failed("wrong-digest", ErrorClass.FINAL));
    assertThat(folder.resolve(ARTIFACT.sha256())).doesNotExist();
    assertThat(folder.resolve(ARTIFACT.sha256() + ".part")).isEmptyFile();
  }

  @Test
  void anotherSizeThanWasSignedIsRefusedBeforeAByteIsTaken() {
    server.serve(bytes(SIZE + 1, 1), "\"one\"");

    assertThat(failure()).isEqualTo(failed("wrong-size", ErrorClass.FINAL));
    assertThat(folder.resolve(ARTIFACT.sha256() + ".part")).isEmptyFile();
  }

  @Test
  void endlessDataIsCutOffAtTheSignedSize() {
    server.then(endless());

    assertThat(failure()).isEqualTo(failed("wrong-size", ErrorClass.FINAL));
    assertThat(folder.resolve(ARTIFACT.sha256() + ".part")).isEmptyFile();
  }

  @Test
  void aServerThatFallsSilentIsGivenUp() {
    server.then(fallSilentAfter(1000));

    assertThat(failure()).isEqualTo(failed("download-failed", ErrorClass.RETRYABLE));
  }

  @Test
  void aServerThatIsTooSlowIsGivenUp() {
    server.then(trickle(10));

    assertThat(failure()).isEqualTo(failed("download-failed", ErrorClass.RETRYABLE));
  }

  @Test
  void aServerInTroubleIsAskedAgainAndOneThatRefusesIsNot() {
    server.then(status(503)).then(status(429)).then(status(403)).then(status(404));

    assertThat(failure()).isEqualTo(failed("download-failed", ErrorClass.RETRYABLE));
    assertThat(failure()).isEqualTo(failed("download-failed", ErrorClass.RETRYABLE));
    assertThat(failure()).isEqualTo(failed("download-refused", ErrorClass.FINAL));
    assertThat(failure()).isEqualTo(failed("download-refused", ErrorClass.FINAL));
  }

  @Test
  void nobodyThereIsRetryable() {
    String address = server.address();
    server.close();

    assertThat(failure(address)).isEqualTo(failed("download-failed", ErrorClass.RETRYABLE));
  }

  @Test
  void onlyHttpIsFetchedFrom() {
    assertThat(failure("file:///etc/passwd")).isEqualTo(failed("bad-address", ErrorClass.FINAL));
    assertThat(failure("")).isEqualTo(failed("bad-address", ErrorClass.FINAL));
  }

  @Test
  void theSecretInTheAddressIsNotToldToAnybody() {
    server.then(status(500));

    var failure = catchThrowableOfType(StepFailed.class, this::fetch);

    assertThat(((Result.Failed) failure.result()).text())
        .contains("/artifacts/file")
        .doesNotContain("secret");
  }

  @Test
  void whereThereIsNoRoomNotAByteIsFetched() {
    files = withSpace(new Space(64 << 20, 100 << 20));

    assertThat(failure()).isEqualTo(failed("insufficient-space", ErrorClass.NEEDS_PERSON));
    assertThat(server.requests()).isEmpty();
  }

  @Test
  void aDiskThatGetsFullMeanwhileGetsItsSpaceBack() {
    files = failingWhen("write", ".part", "No space left on device");

    assertThat(failure()).isEqualTo(failed("insufficient-space", ErrorClass.NEEDS_PERSON));
    assertThat(folder.resolve(ARTIFACT.sha256() + ".part")).isEmptyFile();
  }

  @Test
  void aDiskThatFailsIsNotTakenForTheServersFault() {
    files = failingWhen("write", ".part", "Input/output error");

    assertThat(failure()).isEqualTo(failed("disk-failed", ErrorClass.NEEDS_PERSON));
  }

  @Test
  void aCancelledDownloadStopsAndKeepsWhatItHas() throws StepFailed {
    var asked = new AtomicBoolean();
    cancelled = () -> asked.getAndSet(true);

    var failure = catchThrowableOfType(StepFailed.class, this::fetch);
    assertThat(failure.result()).isEqualTo(new Result.Cancelled());

    cancelled = () -> false;
    assertThat(fetch()).hasBinaryContent(CONTENT);
    assertThat(server.requests().getLast()).startsWith("bytes=");
  }

  @Test
  void partsThatNobodyCameBackForAreDeleted() throws StepFailed, IOException {
    Path old = Files.write(folder.resolve("0".repeat(64) + ".part"), new byte[10]);
    Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofDays(8))));
    Path young = Files.write(folder.resolve("1".repeat(64) + ".part"), new byte[10]);

    fetch();

    assertThat(old).doesNotExist();
    assertThat(young).exists();
  }

  private Path fetch() throws StepFailed {
    return fetch(server.address());
  }

  private Path fetch(String address) throws StepFailed {
    return new Downloader(files, folder, SHORT)
        .fetch(address, ARTIFACT, new Watch(cancelled, progress::add));
  }

  private Result failure() {
    return failure(server.address());
  }

  /// Without its text.
  private Result failure(String address) {
    var failure = catchThrowableOfType(StepFailed.class, () -> fetch(address));
    assertThat(failure).as("a failure").isNotNull();
    return failure.result() instanceof Result.Failed it
        ? failed(it.code(), it.errorClass())
        : failure.result();
  }

  private static Result.Failed failed(String code, ErrorClass errorClass) {
    return new Result.Failed(code, errorClass, "");
  }

  private static FileOps withSpace(Space space) {
    return new WatchedFiles(
        new WatchedFiles.Watcher() {
          @Override
          public Space space(Space found) {
            return space;
          }
        });
  }

  private static FileOps failingWhen(String operation, String path, String message) {
    return new WatchedFiles(
        new WatchedFiles.Watcher() {
          @Override
          public void before(String done, Path file) throws IOException {
            if (done.equals(operation) && file.toString().endsWith(path)) {
              throw new IOException(file + ": " + message);
            }
          }
        });
  }

  private static byte[] bytes(int count, long seed) {
    byte[] bytes = new byte[count];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
