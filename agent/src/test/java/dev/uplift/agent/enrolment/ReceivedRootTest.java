package dev.uplift.agent.enrolment;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.uplift.agent.files.FileOps;
import dev.uplift.protocol.TrustRoot;
import dev.uplift.protocol.enrolment.EnrolmentResponse;
import dev.uplift.protocol.enrolment.JoinToken;
import dev.uplift.protocol.signature.SigningKey;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The server is a thief's: it gives to hosts that join whatever it likes.
final class ReceivedRootTest {
  private final SigningKey owner = SigningKey.generate();
  private final SigningKey thief = SigningKey.generate();
  private final SignedTestRoot genuine = SignedTestRoot.of(1, owner, owner);

  @TempDir private Path folder;
  private HttpServer server;
  private volatile SignedTestRoot given = genuine;
  private volatile String serverUrl = "http://127.0.0.1:1";

  @BeforeEach
  void serve() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/v1/join",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          var answer =
              new EnrolmentResponse(
                  "acme", "left", "http://127.0.0.1:1", "nats://127.0.0.1:4222", "a.b.c", "", given.files(), false);
          byte[] body = new String(answer.write(), UTF_8).replace("http://127.0.0.1:1", serverUrl).getBytes(UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
          }
        });
    server.start();
    Files.writeString(config(), "{\"state_folder\":\"state\",\"packages\":{}}");
    Files.createDirectory(folder.resolve("state"));
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void aRootThatItsOwnRootKeysHaveNotSignedIsRefused() {
    given = SignedTestRoot.of(999_999, owner, thief);

    assertRefused(() -> join(token(), false), "the root that the server gives is not valid: signature: expected 1");
    assertThat(HostIdentity.beside(folder).exists()).isFalse();
  }

  @Test
  void aRootOfOtherRootKeysThanTheAdminHasPutIntoTheTokenIsRefused() throws Exception {
    JoinToken token = token().withRoot(genuine.root());
    given = SignedTestRoot.of(2, thief, thief);
    assertRefused(() -> join(token, false), "has other root keys than the token names");

    given = SignedTestRoot.of(2, owner, owner);
    join(token, false);

    assertThat(installed().version()).isEqualTo(2);
  }

  @Test
  void anOlderRootThanTheAdminKnowsIsRefused() {
    JoinToken token = token().withRoot(SignedTestRoot.of(2, owner, owner).root());

    assertRefused(() -> join(token, false), "the server gives root 1, and the token names 2");
  }

  @Test
  void aHostThatHasARootGoesOnFromItUnlessANewChainIsAskedFor() throws Exception {
    Path stored = folder.resolve("state/root.json");
    Files.writeString(stored, genuine.text());
    given = SignedTestRoot.of(2, thief, thief);
    assertRefused(() -> join(token(), false), "does not follow root 1");
    assertThat(stored).hasContent(genuine.text());

    given = SignedTestRoot.of(999_999, thief, thief);
    join(token(), false);
    assertThat(installed()).as("it asks NATS for the roots in between").isEqualTo(genuine.root());

    given = SignedTestRoot.of(2, owner, owner);
    join(token(), false);
    assertThat(installed()).isEqualTo(given.root());

    SigningKey another = SigningKey.generate();
    given = SignedTestRoot.of(8, another, another);
    join(token(), true);
    assertThat(installed()).isEqualTo(given.root());
    assertThat(stored).doesNotExist();
  }

  @Test
  void anAnswerWithAPlainAddressIsNotTaken() {
    serverUrl = "http://uplift.example.com";

    assertThatThrownBy(() -> join(token(), false)).hasMessageContaining("server_url: expected https://");
  }

  private static void assertRefused(ThrowingCallable join, String why) {
    assertThatThrownBy(join)
        .isInstanceOf(ServerRejected.class)
        .hasMessageContaining(why)
        .extracting(e -> ((ServerRejected) e).code())
        .isEqualTo("root-untrusted");
  }

  private void join(JoinToken token, boolean startsNewChain) throws Exception {
    var client = new EnrolmentClient("http://127.0.0.1:" + server.getAddress().getPort(), Optional.empty());
    var _ = new HostEnrolment(FileOps.onDisk(), config(), startsNewChain).join(token, client);
  }

  private JoinToken token() {
    return JoinToken.create("https://uplift.example.com", "acme", "left", "");
  }

  private TrustRoot installed() throws IOException {
    return TrustRoot.read(Files.readAllBytes(folder.resolve("identity/trust/root.json")));
  }

  private Path config() {
    return folder.resolve("agent.json");
  }
}
