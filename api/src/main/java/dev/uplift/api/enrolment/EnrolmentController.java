package dev.uplift.api.enrolment;

import dev.uplift.api.call.Call;
import dev.uplift.api.call.Changes;
import dev.uplift.api.call.Ids;
import dev.uplift.api.json.Body;
import dev.uplift.api.json.Field;
import dev.uplift.api.json.Shapes;
import dev.uplift.api.problem.Refusal;
import dev.uplift.api.security.Role;
import dev.uplift.api.settings.ForApi;
import dev.uplift.api.tenants.KnownTenants;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.store.Devices;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Post;
import io.micronaut.security.annotation.Secured;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/// Invites hosts, and shuts them out.
@ForApi
@Controller("/v1/tenants/{tenant}")
@Secured(Role.ADMIN)
final class EnrolmentController {
  private static final Duration USUAL = Duration.ofHours(1);
  private static final Duration MOST = Duration.ofDays(7);
  private static final int MOST_HOSTS = 1000;

  private final Door door;
  private final Devices devices;
  private final Changes changes;
  private final KnownTenants tenants;
  private final InstantSource clock;

  EnrolmentController(
      Door door, Devices devices, Changes changes, KnownTenants tenants, InstantSource clock) {
    this.door = door;
    this.devices = devices;
    this.changes = changes;
    this.tenants = tenants;
    this.clock = clock;
  }

  @Post("/devices/{device}/hosts/{host}/enrolments")
  HttpResponse<InvitationView> invite(
      Call call, String device, String host, HttpRequest<?> request) {
    DeviceId on = Ids.device(call, device);
    HostId who = Ids.host(host);
    Body in = Body.orEmpty(request);
    Field<Duration> valid = in.optional("valid_s", Shapes.seconds(MOST));
    in.done();
    Inviting inviting = inviting(valid.or(USUAL));
    return changes.make(
        call,
        () -> {
          if (devices.find(on).filter(row -> row.hosts().contains(who)).isEmpty()) {
            throw Refusal.notFound("there is no host %s on a device %s".formatted(who, device));
          }
          return HttpResponse.created(invite(call, inviting, on, who));
        });
  }

  /// Tokens that have been made.
  @Serdeable
  record Invitations(List<InvitationView> items) {}

  @Post("/enrolments")
  HttpResponse<Invitations> inviteMany(Call call, HttpRequest<?> request) {
    tenants.check(call.tenant());
    Body in = Body.of(request);
    Field<Duration> valid = in.optional("valid_s", Shapes.seconds(MOST));
    List<WantedHost> hosts =
        in.each("hosts", MOST_HOSTS).stream().map(each -> WantedHost.read(call, each)).toList();
    if (hosts.isEmpty()) {
      in.wrongToo("/hosts", "expected 1 to %d hosts".formatted(MOST_HOSTS));
    }
    in.done();
    Inviting inviting = inviting(valid.or(USUAL));
    return changes.make(
        call,
        () -> {
          List<InvitationView> made = new ArrayList<>();
          for (int i = 0; i < hosts.size(); i++) {
            WantedHost host = hosts.get(i).there(devices, "/hosts/" + i);
            made.add(invite(call, inviting, host.deviceId(), host.hostId()));
          }
          return HttpResponse.created(new Invitations(made));
        });
  }

  private Inviting inviting(Duration valid) {
    return new Inviting(door.enrolling().settings(), door.enrolments(), clock, valid);
  }

  private InvitationView invite(Call call, Inviting inviting, DeviceId device, HostId host) {
    InvitationView view = inviting.invite(call, device, host);
    changes.note(call, "host.invite", "host/" + host, "until " + view.expiresAt());
    return view;
  }

  @Delete("/hosts/{host}/credentials")
  HttpResponse<?> revoke(Call call, String host) {
    tenants.check(call.tenant());
    HostId who = Ids.host(host);
    var _ = door.enrolling();
    var _ =
        changes.make(
            call,
            () -> {
              door.refuseUnlessKnown(call, who);
              door.revoke(call, List.of(who));
              changes.note(call, "host.revoke", "host/" + who, "");
              return true;
            });
    if (!door.shutOut(call, List.of(who))) {
      throw Refusal.away("NATS, or Temporal,").with("Retry-After", "5");
    }
    return HttpResponse.noContent();
  }

  @Post("/hosts/{host}/credentials/rotate")
  HttpResponse<?> rotate(Call call, String host) {
    tenants.check(call.tenant());
    HostId who = Ids.host(host);
    var _ = door.enrolling();
    boolean has =
        changes.make(
            call,
            () -> {
              if (!door.enrolments().wantRotation(call.tenant(), who)) {
                return false;
              }
              changes.note(call, "host.rotate", "host/" + who, "");
              return true;
            });
    if (!has) {
      throw Refusal.conflict("%s has not joined, so it has no key to exchange".formatted(who));
    }
    return HttpResponse.noContent();
  }
}
