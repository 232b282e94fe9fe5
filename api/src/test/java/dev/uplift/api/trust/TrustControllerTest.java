package dev.uplift.api.trust;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.ServerHome;
import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.TestClient;
import dev.uplift.api.testing.TestResponse;
import dev.uplift.api.testing.TestRoot;
import dev.uplift.api.testing.TestServer;
import dev.uplift.api.testing.TestTenant;
import dev.uplift.protocol.signature.SigningKey;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Each tenant in these tests has a first root.
@ExtendWith(SharedServerExtension.class)
final class TrustControllerTest {
  private static final SigningKey OTHER = SigningKey.generate();

  @Test
  void theNextRootNeedsBothSignaturesAndIsStoredUnchanged(TestTenant testTenant) {
    ServerHome serverHome = testTenant.server().home();
    TestRoot next = serverHome.root(testTenant.name()).next(OTHER, serverHome.releaseKey(), serverHome.commandKey());

    TestResponse put = put(testTenant, next, serverHome.rootKey(), OTHER).expectStatus(201);

    assertThat(put.header("Location")).contains(testTenant.path("trust/2"));
    TestResponse got = testTenant.viewer().get(testTenant.path("trust")).expectStatus(200);
    assertThat(got.json().path("root").asString()).isEqualTo(new String(next.text(), UTF_8));
    assertThat(got.json().path("version").asLong()).isEqualTo(2);
    assertThat(got.json().path("command_key").asString()).isEqualTo(serverHome.commandKey().keyId());
    assertThat(got.json().at("/roles/root/keys/0").asString()).isEqualTo(OTHER.keyId());
    assertThat(put(testTenant, next, serverHome.rootKey(), OTHER).expectStatus(200).text()).isEqualTo(got.text());
    assertThat(testTenant.viewer().get(testTenant.path("trust/1")).expectStatus(200).text()).contains("\"version\":1");
    testTenant.viewer().get(testTenant.path("trust/3")).expectStatus(404);
  }

  @Test
  void anInvalidSuccessorIsRejectedWithTheReason(TestTenant testTenant) {
    ServerHome serverHome = testTenant.server().home();
    TestRoot next = serverHome.root(testTenant.name()).next(OTHER, serverHome.releaseKey(), serverHome.commandKey());

    assertThat(put(testTenant, next, OTHER).expectStatus(422).errors().getFirst())
        .startsWith("/signature: signature: expected 1 of the root keys of the root before");
    assertThat(put(testTenant, next, serverHome.rootKey()).expectStatus(422).errors().getFirst())
        .startsWith("/signature: signature: expected 1 of the root keys of itself");
    assertThat(put(testTenant, next.withVersion(3), serverHome.rootKey(), OTHER).expectStatus(422).errors())
        .containsExactly("/root: version: expected 2, found 3");
    TestRoot late = next.withExpiry(Instant.parse("2020-01-01T00:00:00Z"));
    assertThat(put(testTenant, late, serverHome.rootKey(), OTHER).expectStatus(422).errors().getFirst())
        .startsWith("/root: expires_at: expected a time in the future");
    TestRoot foreign = serverHome.root("other").next(OTHER, serverHome.releaseKey(), serverHome.commandKey());
    assertThat(put(testTenant, foreign, serverHome.rootKey(), OTHER).expectStatus(422).errors())
        .containsExactly("/root: tenant: expected %s, found other".formatted(testTenant.name()));
    assertThat(testTenant.viewer().get(testTenant.path("trust")).json().path("version").asLong()).isEqualTo(1);
  }

  @Test
  void aRootNeverChanges(TestTenant testTenant) {
    ServerHome serverHome = testTenant.server().home();
    TestRoot first = serverHome.root(testTenant.name()).withExpiry(Instant.parse("2998-01-01T00:00:00Z"));

    put(testTenant, first, serverHome.rootKey()).expectStatus(422);
    assertThat(
            testTenant
                .server()
                .clientWithRole("admin", "*")
                .send("PUT", testTenant.path("trust/1?new_chain=true"), first.body(serverHome.rootKey()))
                .expectStatus(422)
                .errors()
                .getFirst())
        .startsWith("/root: version: expected more than 1");
  }

  @Test
  void theFirstRootIsNotThatOfWhoeverIsFirst(TestServer server) {
    TestTenant rootless = new TestTenant(server, "rootless");
    TestClient everywhere = server.clientWithRole("admin", "*");
    everywhere.send("PUT", "/v1/tenants/rootless", "{}").expectStatus(201);
    String first = server.home().root("rootless").body(server.home().rootKey());

    assertThat(rootless.admin().send("PUT", rootless.path("trust/1"), first).expectStatus(403).detail())
        .isEqualTo("the first root of a tenant needs an admin of all tenants (tenant *)");
    everywhere.send("PUT", rootless.path("trust/1"), first).expectStatus(201);
  }

  @Test
  void anAdminOfAllTenantsStartsANewChain(TestTenant testTenant) {
    ServerHome serverHome = testTenant.server().home();
    TestRoot newChain =
        new TestRoot(testTenant.name(), OTHER, serverHome.releaseKey(), serverHome.commandKey()).withVersion(7);
    String path = testTenant.path("trust/7?new_chain=true");

    testTenant.admin().send("PUT", path, newChain.body(OTHER)).expectStatus(403);
    testTenant.server().clientWithRole("admin", "*").send("PUT", path, newChain.body(OTHER)).expectStatus(201);

    assertThat(testTenant.viewer().get(testTenant.path("trust")).json().path("version").asLong()).isEqualTo(7);
  }

  @Test
  void aRootWithoutACommandKeyOfThisServerIsShownAsSuch(TestTenant testTenant) {
    ServerHome serverHome = testTenant.server().home();
    TestRoot next =
        serverHome.root(testTenant.name()).next(serverHome.rootKey(), serverHome.releaseKey(), SigningKey.generate());

    assertThat(put(testTenant, next, serverHome.rootKey()).expectStatus(201).json().has("command_key")).isFalse();
  }

  @Test
  void onlyAdminsOfTheTenantPublishAndValidateStoresNothing(TestTenant testTenant) {
    ServerHome serverHome = testTenant.server().home();
    TestRoot next = serverHome.root(testTenant.name()).next(OTHER, serverHome.releaseKey(), serverHome.commandKey());
    String body = next.body(serverHome.rootKey(), OTHER);

    testTenant.operator().send("PUT", testTenant.path("trust/2"), body).expectStatus(403);
    testTenant.admin().send("PUT", testTenant.path("trust/2?validate=true"), body).expectStatus(201);
    assertThat(testTenant.viewer().get(testTenant.path("trust")).json().path("version").asLong()).isEqualTo(1);
    assertThat(testTenant.viewer().get(testTenant.path("audit")).text()).doesNotContain("trust/2");
  }

  private static TestResponse put(TestTenant testTenant, TestRoot root, SigningKey... by) {
    return testTenant.admin().send("PUT", testTenant.path("trust/" + root.version()), root.body(by));
  }
}
