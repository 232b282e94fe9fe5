package dev.uplift.api.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jwt.JWTClaimsSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class OidcIssuersTest {
  @TempDir private Path folder;

  @Test
  void severalIssuersMayBeTrusted() throws Exception {
    OidcIssuers issuers =
        read(
            """
            [{"name": "corp", "issuer": "https://login.example.com/realms/uplift", "audience": "uplift", "tenant": "acme"},
             {"name": "partner", "issuer": "https://login.example.net", "audience": "api://uplift", "tenant_claim": "tid",
              "tenants": {"4711": "globex", "0815": "*"}, "roles_claim": "app.roles", "roles": {"boss": "admin"},
              "name_claim": "upn", "clock_skew": "PT0S"}]
            """);

    OidcIssuer first = issuers.list().get(0);
    assertThat(first.clockSkew()).isEqualTo(Duration.ofSeconds(30));
    var claims = new JWTClaimsSet.Builder().subject("ann").claim("roles", List.of("viewer", "other")).build();
    assertThat(first.callerName(claims)).isEqualTo("corp#ann");
    assertThat(first.tenant(claims)).isEqualTo("acme");
    assertThat(first.roles(claims)).contains("viewer");

    OidcIssuer second = issuers.list().get(1);
    var other =
        new JWTClaimsSet.Builder()
            .claim("upn", "bob@example.net")
            .claim("tid", List.of("4711", "unknown"))
            .claim("app", Map.of("roles", List.of("boss", "viewer")))
            .build();
    assertThat(second.callerName(other)).isEqualTo("partner#bob@example.net");
    assertThat(second.tenant(other)).isEqualTo("globex");
    assertThat(Roles.effectiveRoles(second.roles(other))).contains("admin");
    assertThat(Roles.effectiveRoles(second.roles(new JWTClaimsSet.Builder(other).claim("app", "admin").build())))
        .isEmpty();
    assertThat(second.tenant(new JWTClaimsSet.Builder().claim("tid", "0815").build())).isEqualTo("*");
    for (Object none : List.of("*", "acme", List.of(), List.of("4711", "0815"))) {
      var undecided = new JWTClaimsSet.Builder().claim("tid", none).build();
      assertThatThrownBy(() -> second.tenant(undecided)).hasMessageStartingWith("expected one value with a meaning");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"two\nlines", "\u001b[2J"})
  void aNameWithControlCharactersIsRefused(String name) throws Exception {
    OidcIssuer issuer =
        read("[{\"name\":\"corp\",\"issuer\":\"https://x.test\",\"audience\":\"a\",\"tenant\":\"t\"}]")
            .list()
            .getFirst();
    assertThatThrownBy(() -> issuer.callerName(new JWTClaimsSet.Builder().subject(name).build()))
        .hasMessageContaining("none of them a control character");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {}                                                                        | expected a JSON list of issuers
          []                                                                        | expected an issuer
          [{"name":"c","issuer":"http://login.example.com","audience":"a","tenant":"acme"}]    | expected an https address
          [{"name":"c","issuer":"http://127.0.0.1.example.com","audience":"a","tenant":"t"}]   | expected an https address
          [{"audience":"a","tenant":"acme"}]                                        | expected an https address
          [{"name":"c","issuer":"https://x.test","tenant":"acme"}]                             | expected audience
          [{"name":"c","issuer":"https://x.test","audience":"a"}]                              | expected either tenant or tenant_claim
          [{"name":"c","issuer":"https://x.test","audience":"a","tenant":"t","tenant_claim":"t"}] | expected either tenant or tenant_claim
          [{"name":"c","issuer":"https://x.test","audience":"a","tenant":"Acme"}]              | expected the name of a tenant
          [{"name":"c","issuer":"https://x.test","audience":"a","tenant":"t","tenants":{"a":"b"}}] | expected tenants only with tenant_claim
          [{"name":"c","issuer":"https://x.test","audience":"a","tenant":"t","roles":{"a":"boss"}}] | expected one of viewer, operator, admin
          [{"name":"c","issuer":"https://x.test","audience":"a","tenant":"t","clock_skew":"PT1H"}] | expected PT0S to PT5M, found PT1H
          [{"name":"c","issuer":"https://x.test","audience":"a","tenant":"t","role_claim":"r"}] | role_claim
          [{"name":"c","issuer":"https://x.test","audience":"a","tenant":"t"},{"name":"d","issuer":"https://x.test","audience":"b","tenant":"t"}] | expected each issuer once
          [{"name":"c","issuer":"https://x.test","audience":"a","tenant":"t"},{"name":"c","issuer":"https://y.test","audience":"b","tenant":"t"}] | expected each name once, found c
          [{"issuer":"https://x.test","audience":"a","tenant":"t"}]                 | expected name
          [{"name":"c#d","issuer":"https://x.test","audience":"a","tenant":"t"}]    | expected name
          """)
  void aMistakeIsNamed(String json, String message) {
    assertThatThrownBy(() -> read(json)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(message);
  }

  private OidcIssuers read(String json) throws IOException {
    return OidcIssuers.read(Files.writeString(folder.resolve("issuers.json"), json));
  }
}
