package dev.uplift.agent.enrolment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.uplift.agent.files.FileOps;
import dev.uplift.agent.files.ObservedFileOps;
import dev.uplift.protocol.enrolment.EnrolmentResponse;
import dev.uplift.protocol.enrolment.JoinRequest;
import dev.uplift.protocol.enrolment.JoinToken;
import dev.uplift.protocol.enrolment.RenewRequest;
import dev.uplift.protocol.nats.Credentials;
import dev.uplift.protocol.signature.SigningKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Power fails before and after each file operation of a host that joins, or takes another key. The server is played.
final class HostEnrolmentKilledTest {
  private static final class PowerCut extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  @TempDir Path folder;

  private static final SigningKey OWNER = SigningKey.generate();
  private static final SignedTestRoot ROOT = SignedTestRoot.of(1, OWNER, OWNER);

  /// By secret, who has used it; and whose keys are good.
  private final Map<String, String> used = new TreeMap<>();

  private final Set<String> good = new TreeSet<>();

  /// New keys that it does not take.
  private final Set<String> refused = new TreeSet<>();

  private volatile boolean refuses;
  private HttpServer server;

  @BeforeEach
  void serve() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/v1/join",
        exchange -> {
          JoinRequest asked = JoinRequest.read(exchange.getRequestBody().readAllBytes());
          String by = used.computeIfAbsent(asked.secret(), _ -> asked.key());
          good.add(by);
          answer(exchange, asked.hasValidSignature() && by.equals(asked.key()), asked.key());
        });
    server.createContext(
        "/v1/renew",
        exchange -> {
          RenewRequest asked = RenewRequest.read(exchange.getRequestBody().readAllBytes());
          if (refuses) {
            refused.add(asked.newKey());
          }
          boolean may = asked.hasValidSignatures() && good.contains(asked.key()) && !refused.contains(asked.newKey());
          if (may && asked.newKey().isEmpty()) {
            good.retainAll(Set.of(asked.key()));
          } else if (may) {
            good.add(asked.newKey());
          }
          answer(exchange, may, asked.newKey().isEmpty() ? asked.key() : asked.newKey());
        });
    server.start();
  }

  private void answer(HttpExchange exchange, boolean may, String key) throws IOException {
    byte[] body =
        may
            ? new EnrolmentResponse(
                    "acme", "left", url(), "nats://127.0.0.1:4222", "ticket-of-" + key, "", ROOT.files(), false)
                .write()
            : "{\"title\":\"Forbidden\",\"code\":\"token-used\",\"detail\":\"by another\"}"
                .getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(may ? 200 : 403, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private EnrolmentClient registrar() {
    return new EnrolmentClient(url(), Optional.empty());
  }

  private interface Work {
    void with(FileOps files) throws Exception;
  }

  /// Returns false once the work is done without being cut.
  private static boolean cut(int at, Work work) throws Exception {
    int[] count = {0};
    FileOps files =
        new ObservedFileOps(
            new ObservedFileOps.Observer() {
              @Override
              public void before(String operation, Path path) {
                count();
              }

              @Override
              public void after(String operation, Path path) {
                count();
              }

              private void count() {
                if (++count[0] == at) {
                  throw new PowerCut();
                }
              }
            });
    try {
      work.with(files);
      return false;
    } catch (PowerCut _) {
      return true;
    }
  }

  /// Asserts a complete identity, whichever it is, with a key that the server accepts.
  private void assertWhole(HostIdentity hostIdentity) throws IOException {
    Credentials credentials = Credentials.read(hostIdentity.credentialsFile());
    assertThat(credentials.jwt()).isEqualTo("ticket-of-" + credentials.key().publicKey());
    assertThat(good).contains(credentials.key().publicKey());
    assertThat(hostIdentity.trustFolder().resolve("root.json")).hasContent(ROOT.text());
    assertThat(hostIdentity.readHost().string("host")).isEqualTo("left");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(hostIdentity.credentialsFile())))
        .isEqualTo("rw-------");
  }

  @Test
  void aHostThatJoinsIsWhatItWasOrWhatItBecomesAndMayJoinAgain() throws Exception {
    boolean cut = true;
    for (int at = 1; cut; at++) {
      Path home = Files.createDirectory(folder.resolve("host-" + at));
      Path config = home.resolve("agent.json");
      HostIdentity hostIdentity = HostIdentity.beside(home);
      JoinToken first = JoinToken.create(url(), "acme", "left", "");
      new HostEnrolment(FileOps.onDisk(), config).join(first, registrar());
      JoinToken second = JoinToken.create(url(), "acme", "left", "");

      cut = cut(at, files -> new HostEnrolment(files, config).join(second, registrar()));

      assertWhole(hostIdentity);
      new HostEnrolment(FileOps.onDisk(), config).join(second, registrar());
      assertWhole(hostIdentity);
      assertThat(Credentials.read(hostIdentity.credentialsFile()).key().publicKey())
          .isEqualTo(used.get(second.secret()));
      try (var left = Files.list(home)) {
        assertThat(left).as("nothing else is left, after %d", at).hasSize(3);
      }
    }
  }

  @Test
  void aHostThatTakesAnotherKeyHasOneThatIsGoodAtEveryMoment() throws Exception {
    boolean cut = true;
    for (int at = 1; cut; at++) {
      good.clear();
      Path home = Files.createDirectory(folder.resolve("host-" + at));
      Path config = home.resolve("agent.json");
      HostIdentity hostIdentity = HostIdentity.beside(home);
      JoinToken token = JoinToken.create(url(), "acme", "left", "");
      new HostEnrolment(FileOps.onDisk(), config).join(token, registrar());
      String before = Credentials.read(hostIdentity.credentialsFile()).key().publicKey();

      cut = cut(at, files -> new CredentialsRenewal(hostIdentity, files).rotate());

      assertWhole(hostIdentity);
      new CredentialsRenewal(hostIdentity, FileOps.onDisk()).rotate();
      assertWhole(hostIdentity);
      assertThat(good).hasSize(1).doesNotContain(before);
    }
  }

  @Test
  void aNewKeyThatWasRefusedIsNotShownAgain() throws Exception {
    Path config = folder.resolve("agent.json");
    HostIdentity hostIdentity = HostIdentity.beside(folder);
    JoinToken token = JoinToken.create(url(), "acme", "left", "");
    new HostEnrolment(FileOps.onDisk(), config).join(token, registrar());
    var credentialsRenewal = new CredentialsRenewal(hostIdentity, FileOps.onDisk());
    refuses = true;
    assertThatThrownBy(credentialsRenewal::rotate).isInstanceOf(ServerRejected.class);
    assertWhole(hostIdentity);

    refuses = false;
    credentialsRenewal.rotate();

    assertWhole(hostIdentity);
    assertThat(good).hasSize(1).doesNotContainAnyElementsOf(refused);
  }

  @Test
  void whatTheServerRefusesChangesNothing() throws Exception {
    Path config = folder.resolve("agent.json");
    JoinToken token = JoinToken.create(url(), "acme", "left", "");
    used.put(token.secret(), "another");
    assertThatThrownBy(() -> new HostEnrolment(FileOps.onDisk(), config).join(token, registrar()))
        .isInstanceOf(ServerRejected.class)
        .hasMessage("by another");
    assertThat(folder).isEmptyDirectory();
  }
}
