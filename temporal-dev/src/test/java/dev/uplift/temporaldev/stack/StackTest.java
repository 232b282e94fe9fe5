package dev.uplift.temporaldev.stack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.cli.file.PrivateFile;
import dev.uplift.temporaldev.nats.LocalNatsClient;
import dev.uplift.temporaldev.process.HttpProbe;
import dev.uplift.temporaldev.process.LogFile;
import dev.uplift.temporaldev.process.ProcessTag;
import dev.uplift.temporaldev.process.StackException;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StackTest {
  @TempDir Path folder;

  @Test
  void aKilledNatsComesBackWithItsStreams() throws Exception {
    try (Stack stack = Stack.in(folder).open()) {
      stack.nats().start();
      try (NatsTestClient natsTestClient = NatsTestClient.connectAsServer(stack.nats())) {
        natsTestClient
            .connection()
            .jetStreamManagement()
            .addStream(
                StreamConfiguration.builder()
                    .name("CMD")
                    .subjects("device-cmd.>")
                    .storageType(StorageType.File)
                    .build());
        natsTestClient.connection().jetStream().publish("device-cmd.acme.left", new byte[] {1});
      }
      long before = stack.nats().pid();

      stack.nats().kill();
      stack.nats().start();

      assertThat(stack.nats().pid()).isNotEqualTo(before);
      try (NatsTestClient natsTestClient = NatsTestClient.connectAsServer(stack.nats())) {
        assertThat(natsTestClient.connection().jetStreamManagement().getStreamInfo("CMD").getStreamState())
            .returns(1L, state -> state.getMsgCount());
      }
    }
  }

  @Test
  void aSubscriptionOutlivesALoginThatNatsAnswersTooLate() throws Exception {
    try (Stack stack = Stack.in(folder).open()) {
      NatsServer nats = stack.nats();
      nats.start();
      nats.pause();
      var subscription = CompletableFuture.supplyAsync(() -> nats.subscribe("device-heartbeat.acme.*.*", (_, _) -> {}));
      // Each of these lasts as long as the first login of the subscription.
      assertThat(nats.isReady()).isFalse();
      assertThat(nats.isReady()).isFalse();

      nats.resume();

      try (LocalNatsClient client = subscription.get(60, TimeUnit.SECONDS)) {
        assertThat(client.isConnected()).isTrue();
      }
    }
  }

  @Test
  void temporalComesUpWithItsWebPageAndComesBackAfterAKill() throws Exception {
    try (Stack stack = Stack.in(folder).open()) {
      stack.temporal().start();
      String target = stack.temporal().target();
      assertThat(HttpProbe.respondsOk(stack.temporal().uiUrl())).isTrue();
      assertThat(namespace(stack))
          .contains("604800s")
          .contains("Tenant", "Device", "Rollout", "Package", "Version", "Phase", "Outcome");

      stack.temporal().kill();
      assertThat(HttpProbe.respondsOk(stack.temporal().uiUrl())).isFalse();
      stack.temporal().start();

      assertThat(stack.temporal().target()).isEqualTo(target);
      assertThat(namespace(stack)).contains("604800s");
    }
  }

  private static String namespace(Stack stack) throws IOException {
    var address = URI.create(stack.temporal().uiUrl() + "/api/v1/namespaces/default");
    try (InputStream in = address.toURL().openStream()) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  @Test
  void whatIsOpenedAgainHasItsPortsKeysAndCredentialsAndNothingRunsMeanwhile() throws Exception {
    String url;
    String key;
    String credentials;
    ProcessTag processTag;
    try (Stack stack = Stack.in(folder).open()) {
      stack.nats().start();
      url = stack.nats().url();
      key = PrivateFile.read(stack.secrets().commandKeyFile());
      credentials = PrivateFile.read(stack.nats().operator().fleetCredentials("acme"));
      processTag = new ProcessTag(PrivateFile.read(folder.resolve("id")));
      assertThat(processTag.processes()).hasSize(1);
    }
    assertThat(processTag.processes()).isEmpty();

    try (Stack stack = Stack.in(folder).open()) {
      assertThat(stack.nats().url()).isEqualTo(url);
      assertThat(PrivateFile.read(stack.secrets().commandKeyFile())).isEqualTo(key);
      stack.nats().start();
      assertThat(PrivateFile.read(stack.nats().operator().fleetCredentials("acme"))).isEqualTo(credentials);
      NatsTestClient.connectAsFleet(stack.nats(), "acme").close();
    }
  }

  @Test
  void twoStacksNeverShareAFolder() {
    try (Stack first = Stack.in(folder).open()) {
      assertThatThrownBy(() -> Stack.in(folder).open())
          .isInstanceOf(StackException.class)
          .hasMessageContaining(first.folder() + " is in use by process ");
    }
    Stack.in(folder).open().close();
  }

  @Test
  void aFolderThatCannotBeCreatedIsReportedInOneLine() throws Exception {
    Path file = Files.createFile(folder.resolve("file"));

    assertThatThrownBy(() -> Stack.in(file.resolve("stack")).open())
        .isInstanceOf(StackException.class)
        .hasMessageStartingWith("cannot create the folder " + file)
        .hasMessageEndingWith("use another folder")
        .hasMessageNotContaining("\n");
  }

  @Test
  void aPortInUseIsReportedWithInstructions() throws Exception {
    try (Stack stack = Stack.in(folder).open();
        var other = new ServerSocket()) {
      int port = stack.nats().port();
      other.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));

      assertThatThrownBy(() -> stack.nats().start())
          .isInstanceOf(StackException.class)
          .hasMessageContaining("port " + port + ", which nats has used before, is used")
          .hasMessageContaining("delete the line nats=" + port);
    }
  }

  @Test
  void whatIsSecretIsReadableByItsOwnerOnly() throws Exception {
    try (Stack stack = Stack.in(folder).open()) {
      stack.nats().start();
      List.of(
              stack.secrets().releaseKeyFile(),
              stack.secrets().artifactsSecretFile(),
              stack.secrets().passwordFile("database"),
              stack.secrets().trustFolder("acme"))
          .forEach(file -> assertThat(file).exists());
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (file.startsWith(folder.resolve("secrets"))
            || file.startsWith(folder.resolve("tokens"))
            || file.endsWith("nats.conf")) {
          assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
              .describedAs(file.toString())
              .isEqualTo("rw-------");
        }
      }
    }
  }

  @Test
  void aPartThatDoesNotComeUpShowsTheEndOfItsLog() {
    try (Stack stack = Stack.in(folder).open()) {
      StackProgram stackProgram =
          stack.program("broken", List.of("/bin/sh", "-c", "echo no such luck; exit 3")).readyWhen(() -> false);

      assertThatThrownBy(stackProgram::start)
          .isInstanceOf(StackException.class)
          .hasMessageContaining("broken ended with code 3")
          .hasMessageContaining("no such luck");
    }
  }

  @Test
  void aStopSaysWhetherTheProcessEndedByItself() {
    try (Stack stack = Stack.in(folder).open()) {
      StackProgram obedient = stack.program("obedient", List.of("/bin/sleep", "600"));
      StackProgram deaf = stack.program("deaf", List.of("/bin/sh", "-c", "trap '' TERM; echo deaf; exec sleep 600"));
      deaf.readyWhen(() -> !LogFile.tail(deaf.logFile()).isEmpty());
      obedient.start();
      deaf.start();

      obedient.stop();
      deaf.stop();

      assertThat(obedient.lastStop()).hasValueSatisfying(stop -> assertThat(stop.killed()).isFalse());
      assertThat(deaf.lastStop())
          .hasValueSatisfying(stop -> {
            assertThat(stop.killed()).isTrue();
            assertThat(stop.duration()).isGreaterThanOrEqualTo(Duration.ofSeconds(15));
          });
      assertThat(deaf.isRunning()).isFalse();
    }
  }

  @Test
  void aTemporaryStackLeavesNothing() {
    Path gone;
    try (Stack stack = Stack.temporary().open()) {
      gone = stack.folder();
      stack.nats().start();
      assertThat(gone).exists();
    }
    assertThat(gone).doesNotExist();
  }
}
