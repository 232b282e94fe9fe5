package dev.uplift.api.rollouts;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.activities.rollout.RolloutTexts;
import dev.uplift.api.call.Call;
import dev.uplift.api.call.Changes;
import dev.uplift.api.call.Etag;
import dev.uplift.api.call.Ids;
import dev.uplift.api.call.Listing;
import dev.uplift.api.call.Takes;
import dev.uplift.api.json.Body;
import dev.uplift.api.json.Shapes;
import dev.uplift.api.problem.Fault;
import dev.uplift.api.problem.Refusal;
import dev.uplift.api.security.Role;
import dev.uplift.api.settings.ForApi;
import dev.uplift.api.tenants.KnownTenants;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.store.Expected;
import dev.uplift.store.RolloutFilter;
import dev.uplift.store.RolloutRow;
import dev.uplift.store.Rollouts;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Patch;
import io.micronaut.http.annotation.Post;
import io.micronaut.security.annotation.Secured;
import java.net.URI;
import java.time.Instant;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Checks rollouts, makes them, shows them, changes drafts.
@ForApi
@Controller("/v1/tenants/{tenant}/rollouts")
@Secured(Role.VIEWER)
final class RolloutController {
  private static final String MERGE_PATCH = "application/merge-patch+json";

  private final Creating creating;
  private final Rollouts rollouts;
  private final RolloutViews views;
  private final Changes changes;
  private final KnownTenants tenants;

  RolloutController(
      Creating creating,
      Rollouts rollouts,
      RolloutViews views,
      Changes changes,
      KnownTenants tenants) {
    this.creating = creating;
    this.rollouts = rollouts;
    this.views = views;
    this.changes = changes;
    this.tenants = tenants;
  }

  @Post
  @Secured(Role.OPERATOR)
  HttpResponse<?> create(Call call, HttpRequest<?> request) {
    tenants.check(call.tenant());
    Asked asked = WishReader.read(Body.of(request), now());
    RolloutId id = RolloutName.of(call, asked.wish().plan().release().packageName());
    if (call.validates()) {
      return HttpResponse.ok(PreviewView.of(id.name(), creating.preview(id, asked.wish())));
    }
    Creating.Made made = creating.create(call, id, asked);
    URI place = URI.create("/v1/tenants/%s/rollouts/%s".formatted(call.tenant(), id.name()));
    return made.isNew()
        ? HttpResponse.created(views.whole(made.row()), place)
            .header(HttpHeaders.ETAG, Etag.of(made.row().revision()))
        : answer(made.row()).headers(headers -> headers.location(place));
  }

  @Get
  @Takes({"state", "package", "version", "cursor", "limit"})
  Listing<RolloutView> list(Call call) {
    tenants.check(call.tenant());
    RolloutFilter filter =
        new RolloutFilter(
            call.word("state", RolloutState.values()), call.text("package"), call.text("version"));
    return Listing.of(rollouts.list(call.tenant(), filter, call.page()), views::brief);
  }

  @Get("/{rollout}")
  HttpResponse<RolloutView> get(Call call, String rollout) {
    return answer(creating.find(Ids.rollout(call, rollout)));
  }

  @Patch("/{rollout}")
  @Consumes({MERGE_PATCH, MediaType.APPLICATION_JSON})
  @Secured(Role.OPERATOR)
  HttpResponse<RolloutView> patch(Call call, String rollout, HttpRequest<?> request) {
    RolloutId id = Ids.rollout(call, rollout);
    Body in = Body.of(request);
    Expected expected = Etag.expected(call);
    return changes.make(
        call,
        () -> {
          RolloutRow draft = expected(expected, creating.lockedDraft(id));
          refuseToStart(in);
          ObjectNode whole = PlanJson.of(RolloutTexts.wish(draft.plan()));
          Body patched = Body.of(in.replacingIn(whole).toString().getBytes(UTF_8));
          Asked asked = WishReader.read(patched, now());
          return answer(creating.redraft(call, draft, asked.wish()));
        });
  }

  @Delete("/{rollout}")
  @Secured(Role.OPERATOR)
  HttpResponse<?> discard(Call call, String rollout) {
    RolloutId id = Ids.rollout(call, rollout);
    Expected expected = Etag.expected(call);
    return changes.make(
        call,
        () -> {
          expected(expected, creating.lockedDraft(id));
          if (!rollouts.discard(id)) {
            throw Refusal.conflict("it is no draft any more; read it again");
          }
          changes.note(call, "rollout.delete", "rollout/" + id.name(), "");
          return HttpResponse.noContent();
        });
  }

  /// What a draft is, it stays until somebody starts it.
  private static void refuseToStart(Body in) {
    if (in.optional("draft", Shapes.FLAG).isThere()) {
      throw Refusal.malformed(
          Fault.at("/draft", "is not changed by PATCH; expected POST .../start, or DELETE"));
    }
  }

  static RolloutRow expected(Expected expected, RolloutRow row) {
    if (!expected.holdsForVersion(Optional.of(row.revision()))) {
      throw Refusal.stale("the rollout is at revision %d; read it again".formatted(row.revision()));
    }
    return row;
  }

  private MutableHttpResponse<RolloutView> answer(RolloutRow row) {
    return HttpResponse.ok(views.whole(row)).header(HttpHeaders.ETAG, Etag.of(row.revision()));
  }

  private static Instant now() {
    return Instant.now();
  }
}
