package dev.uplift.agent.download;

import static dev.uplift.agent.download.LyingServer.endless;
import static dev.uplift.agent.download.LyingServer.fallSilentAfter;
import static dev.uplift.agent.download.LyingServer.status;
import static dev.uplift.agent.download.LyingServer.trickle;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.files.FileOps;
import dev.uplift.agent.files.Space;
import dev.uplift.agent.files.WatchedFiles;
import dev.uplift.protocol.ErrorClass;
import dev.uplift.protocol.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// What goes wrong with a download, and what is said about it.
final class DownloadFailureTest extends DownloadScenario {
  private static final Patience SHORT =
      new Patience(Duration.ofMinutes(2), Duration.ofMillis(300), Duration.ofMillis(200), 1000);

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
    patience = SHORT;
    server.then(fallSilentAfter(1000));

    assertThat(failure()).isEqualTo(failed("download-failed", ErrorClass.RETRYABLE));
  }

  @Test
  void aServerThatIsTooSlowIsGivenUp() {
    patience = SHORT;
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
}
