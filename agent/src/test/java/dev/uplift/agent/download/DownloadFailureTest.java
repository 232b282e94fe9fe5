package dev.uplift.agent.download;

import static dev.uplift.agent.download.FaultyHttpServer.endless;
import static dev.uplift.agent.download.FaultyHttpServer.fallSilentAfter;
import static dev.uplift.agent.download.FaultyHttpServer.status;
import static dev.uplift.agent.download.FaultyHttpServer.trickle;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.files.DiskSpace;
import dev.uplift.agent.files.FileOps;
import dev.uplift.agent.files.ObservedFileOps;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.WireErrorClass;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Failures of downloads, and their messages.
final class DownloadFailureTest extends DownloadScenario {
  private static final DownloadTimeouts SHORT_TIMEOUTS =
      new DownloadTimeouts(Duration.ofMinutes(2), Duration.ofMillis(300), Duration.ofMillis(200), 1000);

  @Test
  void otherBytesThanWereSignedAreAWrongDigestAndAreNotKept() {
    server.serve(bytes(SIZE, 4), "\"one\"");

    assertThat(failure()).isEqualTo(failed("wrong-digest", WireErrorClass.FINAL));
    assertThat(folder.resolve(ARTIFACT.sha256())).doesNotExist();
    assertThat(folder.resolve(ARTIFACT.sha256() + ".part")).isEmptyFile();
  }

  @Test
  void anotherSizeThanWasSignedIsRefusedBeforeAByteIsTaken() {
    server.serve(bytes(SIZE + 1, 1), "\"one\"");

    assertThat(failure()).isEqualTo(failed("wrong-size", WireErrorClass.FINAL));
    assertThat(folder.resolve(ARTIFACT.sha256() + ".part")).isEmptyFile();
  }

  @Test
  void endlessDataIsCutOffAtTheSignedSize() {
    server.onNextRequest(endless());

    assertThat(failure()).isEqualTo(failed("wrong-size", WireErrorClass.FINAL));
    assertThat(folder.resolve(ARTIFACT.sha256() + ".part")).isEmptyFile();
  }

  @Test
  void aServerThatFallsSilentIsGivenUp() {
    timeouts = SHORT_TIMEOUTS;
    server.onNextRequest(fallSilentAfter(1000));

    assertThat(failure()).isEqualTo(failed("download-failed", WireErrorClass.RETRYABLE));
  }

  @Test
  void aServerThatIsTooSlowIsGivenUp() {
    timeouts = SHORT_TIMEOUTS;
    server.onNextRequest(trickle(10));

    assertThat(failure()).isEqualTo(failed("download-failed", WireErrorClass.RETRYABLE));
  }

  @Test
  void aServerInTroubleIsAskedAgainAndOneThatRefusesIsNot() {
    server.onNextRequest(status(503)).onNextRequest(status(429)).onNextRequest(status(403)).onNextRequest(status(404));

    assertThat(failure()).isEqualTo(failed("download-failed", WireErrorClass.RETRYABLE));
    assertThat(failure()).isEqualTo(failed("download-failed", WireErrorClass.RETRYABLE));
    assertThat(failure()).isEqualTo(failed("download-refused", WireErrorClass.FINAL));
    assertThat(failure()).isEqualTo(failed("download-refused", WireErrorClass.FINAL));
  }

  @Test
  void aRedirectIsNotFollowed() {
    try (FaultyHttpServer inner = new FaultyHttpServer(CONTENT)) {
      server.onNextRequest((_, exchange) -> {
        exchange.getResponseHeaders().add("Location", inner.address());
        exchange.sendResponseHeaders(302, -1);
      });

      assertThat(failure()).isEqualTo(failed("download-refused", WireErrorClass.FINAL));
      assertThat(inner.requests()).isEmpty();
    }
  }

  @Test
  void unavailableServerIsRetryable() {
    String address = server.address();
    server.close();

    assertThat(failure(address)).isEqualTo(failed("download-failed", WireErrorClass.RETRYABLE));
  }

  @Test
  void onlyHttpIsFetchedFrom() {
    assertThat(failure("file:///etc/passwd")).isEqualTo(failed("invalid-url", WireErrorClass.FINAL));
    assertThat(failure("")).isEqualTo(failed("invalid-url", WireErrorClass.FINAL));
  }

  @Test
  void theSecretInTheAddressIsNotToldToAnybody() {
    server.onNextRequest(status(500));

    var failure = catchThrowableOfType(StepFailed.class, this::fetch);

    assertThat(((CommandResult.Failed) failure.result()).text()).contains("/artifacts/file").doesNotContain("secret");
  }

  @Test
  void whereThereIsNoRoomNotAByteIsFetched() {
    files = withSpace(new DiskSpace(64 << 20, 100 << 20));

    assertThat(failure()).isEqualTo(failed("insufficient-space", WireErrorClass.NEEDS_PERSON));
    assertThat(server.requests()).isEmpty();
  }

  @Test
  void aDiskThatGetsFullMeanwhileGetsItsSpaceBack() {
    files = failingWhen("write", ".part", "No space left on device");

    assertThat(failure()).isEqualTo(failed("insufficient-space", WireErrorClass.NEEDS_PERSON));
    assertThat(folder.resolve(ARTIFACT.sha256() + ".part")).isEmptyFile();
  }

  @Test
  void aDiskThatFailsIsNotTakenForTheServersFault() {
    files = failingWhen("write", ".part", "Input/output error");

    assertThat(failure()).isEqualTo(failed("disk-failed", WireErrorClass.NEEDS_PERSON));
  }

  private static FileOps withSpace(DiskSpace diskSpace) {
    return new ObservedFileOps(
        new ObservedFileOps.Observer() {
          @Override
          public DiskSpace space(DiskSpace found) {
            return diskSpace;
          }
        });
  }

  private static FileOps failingWhen(String operation, String path, String message) {
    return new ObservedFileOps(
        new ObservedFileOps.Observer() {
          @Override
          public void before(String done, Path file) throws IOException {
            if (done.equals(operation) && file.toString().endsWith(path)) {
              throw new IOException(file + ": " + message);
            }
          }
        });
  }
}
