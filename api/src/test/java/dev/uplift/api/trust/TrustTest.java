package dev.uplift.api.trust;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.server.Answer;
import dev.uplift.api.server.Home;
import dev.uplift.api.server.RootDraft;
import dev.uplift.api.server.SharedServer;
import dev.uplift.api.server.Tenant;
import dev.uplift.protocol.SigningKey;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Each tenant of these tests has a first root.
@ExtendWith(SharedServer.class)
final class TrustTest {
  private static final SigningKey OTHER = SigningKey.generate();

  @Test
  void theNextRootComesInWhenBothHaveSignedItAndIsKeptToTheLastByte(Tenant tenant) {
    Home home = tenant.server().home();
    RootDraft next = home.root(tenant.name()).next(OTHER, home.releaseKey(), home.commandKey());

    Answer put = put(tenant, next, home.rootKey(), OTHER).is(201);

    assertThat(put.header("Location")).contains(tenant.path("trust/2"));
    Answer got = tenant.viewer().get(tenant.path("trust")).is(200);
    assertThat(got.json().path("root").asString()).isEqualTo(new String(next.text(), UTF_8));
    assertThat(got.json().path("version").asLong()).isEqualTo(2);
    assertThat(got.json().path("command_key").asString()).isEqualTo(home.commandKey().keyId());
    assertThat(got.json().at("/roles/root/keys/0").asString()).isEqualTo(OTHER.keyId());
    assertThat(put(tenant, next, home.rootKey(), OTHER).is(200).text()).isEqualTo(got.text());
    assertThat(tenant.viewer().get(tenant.path("trust/1")).is(200).text())
        .contains("\"version\":1");
    tenant.viewer().get(tenant.path("trust/3")).is(404);
  }

  @Test
  void whatIsNoProperSuccessorIsRefusedAndSaysWhy(Tenant tenant) {
    Home home = tenant.server().home();
    RootDraft next = home.root(tenant.name()).next(OTHER, home.releaseKey(), home.commandKey());

    assertThat(put(tenant, next, OTHER).is(422).faults().getFirst())
        .startsWith("/signature: signature: expected 1 of the root keys of the root before");
    assertThat(put(tenant, next, home.rootKey()).is(422).faults().getFirst())
        .startsWith("/signature: signature: expected 1 of the root keys of itself");
    assertThat(put(tenant, next.at(3), home.rootKey(), OTHER).is(422).faults())
        .containsExactly("/root: version: expected 2, found 3");
    RootDraft late = next.expiring(Instant.parse("2020-01-01T00:00:00Z"));
    assertThat(put(tenant, late, home.rootKey(), OTHER).is(422).faults().getFirst())
        .startsWith("/root: expires_at: expected a time to come");
    RootDraft foreign = home.root("other").next(OTHER, home.releaseKey(), home.commandKey());
    assertThat(put(tenant, foreign, home.rootKey(), OTHER).is(422).faults())
        .containsExactly("/root: tenant: expected %s, found other".formatted(tenant.name()));
    assertThat(tenant.viewer().get(tenant.path("trust")).json().path("version").asLong())
        .isEqualTo(1);
  }

  @Test
  void aRootNeverChanges(Tenant tenant) {
    Home home = tenant.server().home();
    RootDraft first = home.root(tenant.name()).expiring(Instant.parse("2998-01-01T00:00:00Z"));

    put(tenant, first, home.rootKey()).is(422);
    assertThat(
            tenant
                .server()
                .anyone("admin", "*")
                .send("PUT", tenant.path("trust/1?anew=true"), first.body(home.rootKey()))
                .is(422)
                .faults()
                .getFirst())
        .startsWith("/root: version: expected more than 1");
  }

  @Test
  void aChainThatWasLostIsBegunAnewByWhoeverRunsTheServer(Tenant tenant) {
    Home home = tenant.server().home();
    RootDraft anew =
        new RootDraft(tenant.name(), OTHER, home.releaseKey(), home.commandKey()).at(7);
    String path = tenant.path("trust/7?anew=true");

    tenant.admin().send("PUT", path, anew.body(OTHER)).is(403);
    tenant.server().anyone("admin", "*").send("PUT", path, anew.body(OTHER)).is(201);

    assertThat(tenant.viewer().get(tenant.path("trust")).json().path("version").asLong())
        .isEqualTo(7);
  }

  @Test
  void aRootThatNamesNoCommandKeyOfThisServerSaysSo(Tenant tenant) {
    Home home = tenant.server().home();
    RootDraft next =
        home.root(tenant.name()).next(home.rootKey(), home.releaseKey(), SigningKey.generate());

    assertThat(put(tenant, next, home.rootKey()).is(201).json().has("command_key")).isFalse();
  }

  @Test
  void onlyAdminsOfTheTenantPublishAndValidateKeepsNothing(Tenant tenant) {
    Home home = tenant.server().home();
    RootDraft next = home.root(tenant.name()).next(OTHER, home.releaseKey(), home.commandKey());
    String body = next.body(home.rootKey(), OTHER);

    tenant.operator().send("PUT", tenant.path("trust/2"), body).is(403);
    tenant.admin().send("PUT", tenant.path("trust/2?validate=true"), body).is(201);
    assertThat(tenant.viewer().get(tenant.path("trust")).json().path("version").asLong())
        .isEqualTo(1);
    assertThat(tenant.viewer().get(tenant.path("audit")).text()).doesNotContain("trust/2");
  }

  private static Answer put(Tenant tenant, RootDraft root, SigningKey... by) {
    return tenant.admin().send("PUT", tenant.path("trust/" + root.version()), root.body(by));
  }
}
