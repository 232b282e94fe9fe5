package dev.uplift.api.windows;

import dev.uplift.activities.window.WindowTexts;
import dev.uplift.api.call.Call;
import dev.uplift.api.call.Changes;
import dev.uplift.api.call.Etag;
import dev.uplift.api.call.Labels;
import dev.uplift.api.call.Listing;
import dev.uplift.api.json.Body;
import dev.uplift.api.json.Field;
import dev.uplift.api.problem.Refusal;
import dev.uplift.api.security.Role;
import dev.uplift.api.settings.ForApi;
import dev.uplift.api.tenants.KnownTenants;
import dev.uplift.api.wake.Wake;
import dev.uplift.fleet.window.Window;
import dev.uplift.store.Expected;
import dev.uplift.store.LabelWindowRow;
import dev.uplift.store.LabelWindows;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Put;
import io.micronaut.security.annotation.Secured;
import java.util.List;
import java.util.Optional;

/// Maintenance windows of all devices with a value of a label, those to come included.
@ForApi
@Controller("/v1/tenants/{tenant}/label-windows")
@Secured(Role.VIEWER)
final class LabelWindowController {
  private final LabelWindows windows;
  private final Changes changes;
  private final KnownTenants tenants;
  private final Wake wake;

  LabelWindowController(LabelWindows windows, Changes changes, KnownTenants tenants, Wake wake) {
    this.windows = windows;
    this.changes = changes;
    this.tenants = tenants;
    this.wake = wake;
  }

  @Get
  Listing<LabelWindowView> list(Call call) {
    tenants.check(call.tenant());
    return new Listing<>(
        windows.list(call.tenant()).stream().map(LabelWindowView::of).toList(), Optional.empty());
  }

  @Get("/{label}/{value}")
  HttpResponse<LabelWindowView> get(Call call, String label, String value) {
    return found(call, label, value)
        .map(row ->
            Etag.isKnown(call, row.version())
                ? HttpResponse.<LabelWindowView>notModified()
                : answer(row))
        .orElseThrow(() -> missing(label, value));
  }

  @Put("/{label}/{value}")
  @Secured(Role.ADMIN)
  HttpResponse<LabelWindowView> put(Call call, String label, String value, HttpRequest<?> request) {
    tenants.check(call.tenant());
    Labels.checkInPath(label, value);
    Body in = Body.of(request);
    Field<List<Window>> wished = in.required("windows", WindowShapes.SOME);
    in.done();
    Expected expected = Etag.expected(call);
    String text = WindowTexts.write(wished.get());
    var put =
        changes.make(
            call,
            () -> {
              Optional<LabelWindowRow> before = expected(call, label, value, expected);
              LabelWindowRow row =
                  windows.put(call.tenant(), label, value, text, call.caller().name());
              if (!before.equals(Optional.of(row))) {
                changes.note(call, "label-windows.put", target(label, value), in.toString());
              }
              return before.isPresent()
                  ? answer(row)
                  : HttpResponse.created(LabelWindowView.of(row))
                      .header(HttpHeaders.ETAG, Etag.of(row.version()));
            });
    wake.allOf(call.tenant());
    return put;
  }

  @Delete("/{label}/{value}")
  @Secured(Role.ADMIN)
  HttpResponse<?> delete(Call call, String label, String value) {
    Expected expected = Etag.expected(call);
    var deleted =
        changes.make(
            call,
            () -> {
              if (expected(call, label, value, expected).isEmpty()) {
                throw missing(label, value);
              }
              windows.remove(call.tenant(), label, value);
              changes.note(call, "label-windows.delete", target(label, value), "");
              return HttpResponse.noContent();
            });
    wake.allOf(call.tenant());
    return deleted;
  }

  private Optional<LabelWindowRow> expected(
      Call call, String label, String value, Expected expected) {
    Optional<LabelWindowRow> before = found(call, label, value);
    if (!expected.holdsForVersion(before.map(LabelWindowRow::version))) {
      throw Refusal.stale(
          before
              .map(row -> "the windows are at version %d; read them again".formatted(row.version()))
              .orElse("the label has no windows"));
    }
    return before;
  }

  private Optional<LabelWindowRow> found(Call call, String label, String value) {
    return windows.find(call.tenant(), label, value);
  }

  private static HttpResponse<LabelWindowView> answer(LabelWindowRow row) {
    return HttpResponse.ok(LabelWindowView.of(row))
        .header(HttpHeaders.ETAG, Etag.of(row.version()));
  }

  private static Refusal missing(String label, String value) {
    return Refusal.notFound("the label %s=%s has no windows".formatted(label, value));
  }

  private static String target(String label, String value) {
    return "label/%s=%s".formatted(label, value);
  }
}
