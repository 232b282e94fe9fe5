package dev.uplift.api.enrolment;

import dev.uplift.activities.enrolment.Denied;
import dev.uplift.activities.enrolment.Enrolling.Entry;
import dev.uplift.activities.enrolment.EnrolmentSettings;
import dev.uplift.activities.nats.NatsAway;
import dev.uplift.activities.temporal.TemporalAway;
import dev.uplift.api.json.Body;
import dev.uplift.api.problem.Fault;
import dev.uplift.api.problem.Refusal;
import dev.uplift.api.settings.ForApi;
import dev.uplift.protocol.MalformedMessage;
import dev.uplift.protocol.enrolment.Admission;
import dev.uplift.protocol.enrolment.JoinRequest;
import dev.uplift.protocol.enrolment.RenewRequest;
import dev.uplift.store.Audit;
import dev.uplift.store.AuditEntry;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.server.HttpServerConfiguration;
import io.micronaut.security.annotation.Secured;
import io.micronaut.security.rules.SecurityRule;

/// Where hosts join, and ask for their next ticket. A request is its own permission: it is signed
/// by the host's key.
@ForApi
@Controller("/v1")
@Secured(SecurityRule.IS_ANONYMOUS)
final class JoinController {
  private final Door door;
  private final HostTrust trust;
  private final Audit audit;
  private final Turnstile turnstile;
  private final HttpServerConfiguration configuration;

  JoinController(
      Door door,
      HostTrust trust,
      Audit audit,
      Turnstile turnstile,
      HttpServerConfiguration configuration) {
    this.door = door;
    this.trust = trust;
    this.audit = audit;
    this.turnstile = turnstile;
    this.configuration = configuration;
  }

  private interface Asked {
    HttpResponse<byte[]> answer() throws Denied;
  }

  @Post("/join")
  HttpResponse<byte[]> join(HttpRequest<?> request) {
    return answered(
        request,
        Turnstile.WRONG,
        () -> {
          JoinRequest asked = JoinRequest.read(Body.raw(request));
          Entry entry = door.enrolling().join(asked);
          note(request, asked.tenant(), entry, "host.join");
          return admitted(asked.tenant(), entry);
        });
  }

  @Post("/renew")
  HttpResponse<byte[]> renew(HttpRequest<?> request) {
    // No more than any other: a host that was shut out asks again and again, beside good ones.
    return answered(
        request,
        0,
        () -> {
          RenewRequest asked = RenewRequest.read(Body.raw(request));
          Entry entry = door.enrolling().renew(asked);
          if (!asked.newKey().isEmpty()) {
            note(request, asked.tenant(), entry, "host.new-key");
          }
          return admitted(asked.tenant(), entry);
        });
  }

  private HttpResponse<byte[]> answered(HttpRequest<?> request, int denied, Asked asked) {
    String address = address(request);
    turnstile.enter(address);
    try {
      return asked.answer();
    } catch (Denied e) {
      turnstile.refuse(address, denied, e.code());
      throw Refusal.denied(e.code(), e.text());
    } catch (MalformedMessage | IllegalArgumentException e) {
      turnstile.refuse(address, Turnstile.WRONG, "malformed");
      throw Refusal.malformed(Fault.at("", String.valueOf(e.getMessage())));
    } catch (NatsAway | TemporalAway _) {
      throw Refusal.away("NATS, or Temporal,");
    }
  }

  /// What a client says of itself in other headers (`X-Forwarded-For`) is not asked for: it could
  /// be anybody then, as often as it likes.
  private String address(HttpRequest<?> request) {
    String header = configuration.getClientAddressHeader();
    String said = header == null ? null : request.getHeaders().get(header);
    return said == null ? request.getRemoteAddress().getAddress().getHostAddress() : said;
  }

  private void note(HttpRequest<?> request, String tenant, Entry entry, String action) {
    String host = "host/" + entry.host();
    audit.append(new AuditEntry(tenant, host, action, host, address(request), ""));
  }

  private HttpResponse<byte[]> admitted(String tenant, Entry entry) {
    EnrolmentSettings settings = door.enrolling().settings();
    var admission =
        new Admission(
            tenant,
            entry.host().value(),
            settings.server(),
            settings.nats(),
            entry.jwt(),
            settings.authorities(),
            trust.of(tenant),
            entry.rotate());
    return HttpResponse.ok(admission.write())
        .contentType(MediaType.APPLICATION_JSON_TYPE)
        .header("Cache-Control", "no-store");
  }
}
