package dev.uplift.api.releases;

import dev.uplift.activities.temporal.PolicySignals;
import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.problem.RequestError;
import dev.uplift.api.request.AuditedTransaction;
import dev.uplift.api.request.Etag;
import dev.uplift.api.request.PageResponse;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.request.ResponseStatuses;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.api.tenants.KnownTenants;
import dev.uplift.fleet.ChannelId;
import dev.uplift.fleet.PackageName;
import dev.uplift.fleet.Release;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.release.ReleaseChannelRepository;
import dev.uplift.store.release.ReleaseChannelRow;
import dev.uplift.store.release.ReleaseRepository;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Put;
import io.micronaut.security.annotation.Secured;
import java.util.List;
import java.util.Optional;

/// Channels of a package: names, such as `stable`, that point at one of its releases and are moved by hand.
@RequiresApiRole
@Controller("/v1/tenants/{tenant}/packages/{package}/channels")
@Secured(Roles.VIEWER)
final class ChannelController {
  private final ReleaseChannelRepository channels;
  private final ReleaseRepository releases;
  private final AuditedTransaction transaction;
  private final KnownTenants tenants;
  private final PolicySignals policies;

  ChannelController(
      ReleaseChannelRepository channels,
      ReleaseRepository releases,
      AuditedTransaction transaction,
      KnownTenants tenants,
      PolicySignals policies) {
    this.channels = channels;
    this.releases = releases;
    this.transaction = transaction;
    this.tenants = tenants;
    this.policies = policies;
  }

  /// Lists the channels of a package.
  ///
  /// All of them, by name.
  @Get
  PageResponse<ChannelView> listChannels(RequestContext requestContext, PackageName packageName) {
    tenants.requireExists(requestContext.tenant());
    return new PageResponse<>(
        channels.list(requestContext.tenant(), packageName.value()).stream().map(ChannelView::of).toList(),
        Optional.empty());
  }

  /// Shows a channel of a package.
  @Get("/{channel}")
  @ResponseStatuses(304)
  HttpResponse<ChannelView> getChannel(RequestContext requestContext, ChannelId id) {
    ReleaseChannelRow row =
        channels
            .find(requestContext.tenant(), id.packageName(), id.name())
            .orElseThrow(() -> notFound(requestContext, id));
    return Etag.isNotModified(requestContext, row.revision()) ? HttpResponse.notModified() : respond(row);
  }

  /// Points a channel at a release.
  ///
  /// Creates the channel if it is new. The release has to be published. Policies that follow the channel begin.
  @Put("/{channel}")
  @Secured(Roles.ADMIN)
  @ResponseStatuses({200, 201, 412, 422})
  HttpResponse<ChannelView> moveChannel(RequestContext requestContext, ChannelId id, @Body MoveChannelRequest request) {
    tenants.requireExists(requestContext.tenant());
    Precondition precondition = Etag.precondition(requestContext);
    HttpResponse<ChannelView> moved =
        transaction.run(
            requestContext,
            () -> move(requestContext, id, new Release(id.packageName(), request.version()), precondition));
    notifyPolicies(requestContext, id);
    return moved;
  }

  private void notifyPolicies(RequestContext requestContext, ChannelId id) {
    if (!requestContext.isValidateOnly()) {
      policies.recheckPackage(requestContext.tenant(), id.packageName());
    }
  }

  private HttpResponse<ChannelView> move(
      RequestContext requestContext, ChannelId id, Release release, Precondition precondition) {
    Optional<ReleaseChannelRow> before = requireRevision(requestContext, id, precondition);
    if (releases.find(requestContext.tenant(), release).isEmpty()) {
      throw ProblemException.unprocessable(
          List.of(
              RequestError.atPointer(
                  "/version",
                  "there is no release %s in %s; publish it first".formatted(release, requestContext.tenant()))));
    }
    ReleaseChannelRow row = channels.move(requestContext.tenant(), id.name(), release, requestContext.caller().name());
    if (!before.equals(Optional.of(row))) {
      String from = before.map(earlier -> " from " + earlier.version()).orElse("");
      transaction.recordAudit(requestContext, "channel.move", target(id), "to " + row.version() + from);
    }
    return respond(row).status(before.isPresent() ? HttpStatus.OK : HttpStatus.CREATED);
  }

  /// Deletes a channel of a package.
  ///
  /// Its release stays.
  @Delete("/{channel}")
  @Secured(Roles.ADMIN)
  @ResponseStatuses({204, 412})
  HttpResponse<?> deleteChannel(RequestContext requestContext, ChannelId id) {
    Precondition precondition = Etag.precondition(requestContext);
    HttpResponse<?> deleted =
        transaction.run(
            requestContext,
            () -> {
              ReleaseChannelRow before =
                  requireRevision(requestContext, id, precondition).orElseThrow(() -> notFound(requestContext, id));
              channels.remove(requestContext.tenant(), id.packageName(), id.name());
              transaction.recordAudit(requestContext, "channel.delete", target(id), "at " + before.version());
              return HttpResponse.noContent();
            });
    notifyPolicies(requestContext, id);
    return deleted;
  }

  private Optional<ReleaseChannelRow> requireRevision(
      RequestContext requestContext, ChannelId id, Precondition precondition) {
    return Etag.requireVersion(
        precondition,
        "the channel",
        channels.lock(requestContext.tenant(), id.packageName(), id.name()),
        ReleaseChannelRow::revision);
  }

  private static MutableHttpResponse<ChannelView> respond(ReleaseChannelRow row) {
    return HttpResponse.ok(ChannelView.of(row)).header(HttpHeaders.ETAG, Etag.of(row.revision()));
  }

  private static ProblemException notFound(RequestContext requestContext, ChannelId id) {
    return ProblemException.notFound(
        "the package %s has no channel %s in %s".formatted(id.packageName(), id.name(), requestContext.tenant()));
  }

  private static String target(ChannelId id) {
    return "channel/" + id;
  }
}
