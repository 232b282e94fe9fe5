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

  JoinController(Door door, HostTrust trust, Audit audit) {
    this.door = door;
    this.trust = trust;
    this.audit = audit;
  }

  private interface Asked {
    Entry answer() throws Denied;
  }

  @Post("/join")
  HttpResponse<byte[]> join(HttpRequest<?> request) {
    try {
      JoinRequest asked = JoinRequest.read(Body.raw(request));
      Entry entry = answered(() -> door.enrolling().join(asked));
      note(request, asked.tenant(), entry, "host.join");
      return admitted(asked.tenant(), entry);
    } catch (MalformedMessage e) {
      throw malformed(e);
    }
  }

  @Post("/renew")
  HttpResponse<byte[]> renew(HttpRequest<?> request) {
    try {
      RenewRequest asked = RenewRequest.read(Body.raw(request));
      Entry entry = answered(() -> door.enrolling().renew(asked));
      if (!asked.newKey().isEmpty()) {
        note(request, asked.tenant(), entry, "host.new-key");
      }
      return admitted(asked.tenant(), entry);
    } catch (MalformedMessage | IllegalArgumentException e) {
      throw malformed(e);
    }
  }

  private static Entry answered(Asked asked) {
    try {
      return asked.answer();
    } catch (Denied e) {
      throw Refusal.denied(e.code(), e.text());
    } catch (NatsAway | TemporalAway _) {
      throw Refusal.away("NATS, or Temporal,");
    }
  }

  private static Refusal malformed(RuntimeException e) {
    return Refusal.malformed(Fault.at("", String.valueOf(e.getMessage())));
  }

  private void note(HttpRequest<?> request, String tenant, Entry entry, String action) {
    String from = request.getRemoteAddress().getAddress().getHostAddress();
    String host = "host/" + entry.host();
    audit.append(new AuditEntry(tenant, host, action, host, from, ""));
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
