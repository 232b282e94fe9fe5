package dev.uplift.agent.download;

import static dev.uplift.agent.download.FaultyHttpServer.breakAfter;
import static dev.uplift.agent.download.FaultyHttpServer.ignoreTheRange;
import static dev.uplift.agent.download.FaultyHttpServer.startElsewhere;
import static dev.uplift.agent.download.FaultyHttpServer.status;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.uplift.agent.driver.StepFailed;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.WireErrorClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class DownloaderTest extends DownloadScenario {
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
  void aBrokenDownloadIsRetryableAndResumes() throws StepFailed {
    server.onNextRequest(breakAfter(100_000)).onNextRequest(breakAfter(50_000));

    assertThat(failure()).isEqualTo(failed("download-failed", WireErrorClass.RETRYABLE));
    assertThat(failure()).isEqualTo(failed("download-failed", WireErrorClass.RETRYABLE));
    assertThat(fetch()).hasBinaryContent(CONTENT);
    assertThat(server.requests()).containsExactly("-", "bytes=100000-", "bytes=150000-");
  }

  @Test
  void aServerThatIgnoresTheRangeIsTakenFromTheStart() throws StepFailed {
    server.onNextRequest(breakAfter(100_000)).onNextRequest(ignoreTheRange());
    failure();

    assertThat(fetch()).hasBinaryContent(CONTENT);
  }

  @Test
  void aPartThatStartsElsewhereIsNotTaken() throws StepFailed {
    server.onNextRequest(breakAfter(100_000)).onNextRequest(startElsewhere(90_000));
    failure();

    assertThat(fetch()).hasBinaryContent(CONTENT);
    assertThat(server.requests()).containsExactly("-", "bytes=100000-", "-");
  }

  @Test
  void whenTheServerHasAnotherFileByNowThePartIsNotMixedIntoIt() throws StepFailed {
    server.serve(bytes(SIZE, 3), "\"other\"");
    server.onNextRequest(breakAfter(100_000));
    failure();
    server.serve(CONTENT, "\"one\"");

    assertThat(fetch()).hasBinaryContent(CONTENT);
    assertThat(server.requests()).containsExactly("-", "bytes=100000-");
  }

  @Test
  void aPartThatWasDamagedByALossOfPowerIsFetchedOnceMore() throws StepFailed, IOException {
    server.onNextRequest(breakAfter(100_000));
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
    server.onNextRequest(breakAfter(100_000)).onNextRequest(status(416));
    failure();

    assertThat(fetch()).hasBinaryContent(CONTENT);
    assertThat(server.requests()).containsExactly("-", "bytes=100000-", "-");
  }

  @Test
  void aCancelledDownloadStopsAndKeepsWhatItHas() throws StepFailed {
    var asked = new AtomicBoolean();
    cancelled = () -> asked.getAndSet(true);

    var failure = catchThrowableOfType(StepFailed.class, this::fetch);
    assertThat(failure.result()).isEqualTo(new CommandResult.Cancelled());

    cancelled = () -> false;
    assertThat(fetch()).hasBinaryContent(CONTENT);
    assertThat(server.requests().getLast()).startsWith("bytes=");
  }

  @Test
  void abandonedPartsAreDeleted() throws StepFailed, IOException {
    Path old = Files.write(folder.resolve("0".repeat(64) + ".part"), new byte[10]);
    Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofDays(8))));
    Path young = Files.write(folder.resolve("1".repeat(64) + ".part"), new byte[10]);

    fetch();

    assertThat(old).doesNotExist();
    assertThat(young).exists();
  }
}
