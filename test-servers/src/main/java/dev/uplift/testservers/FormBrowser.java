package dev.uplift.testservers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// A browser of one user that fills in forms. It keeps cookies as browsers do on 127.0.0.1: those with `Secure` as
/// well, which the JDK's does not.
final class FormBrowser {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final int MAX_PAGES = 10;
  private static final Pattern FORM = Pattern.compile("<form[^>]*\\baction=\"([^\"]+)\"");
  private static final Pattern INPUT = Pattern.compile("<(?:input|button)\\b[^>]*>");
  private static final Pattern NAME = Pattern.compile("\\bname=\"([^\"]*)\"");
  private static final Pattern VALUE = Pattern.compile("\\bvalue=\"([^\"]*)\"");

  private final Map<String, String> cookies = new LinkedHashMap<>();

  /// Submits the form of the page, and of each that follows, until there is none.
  ///
  /// @param values by name of the field; hidden fields stay as they are
  void submitForms(URI page, Map<String, String> values) {
    try (HttpClient http = HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NEVER).build()) {
      HttpResponse<String> shown = request(http, page, "");
      for (int i = 0; i < MAX_PAGES; i++) {
        Matcher form = FORM.matcher(shown.body());
        if (!form.find()) {
          return;
        }
        shown = request(http, shown.uri().resolve(unescape(form.group(1))), fields(shown.body(), values));
      }
      throw new IllegalStateException("there is always another form:\n" + shown.body());
    }
  }

  private static String fields(String page, Map<String, String> values) {
    Map<String, String> fields = new LinkedHashMap<>();
    Matcher input = INPUT.matcher(page);
    while (input.find()) {
      String name = attribute(NAME, input.group());
      if (values.containsKey(name)) {
        fields.put(name, values.get(name));
      } else if (input.group().contains("type=\"hidden\"")) {
        fields.put(name, attribute(VALUE, input.group()));
      }
    }
    return fields.entrySet().stream()
        .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), UTF_8))
        .collect(Collectors.joining("&"));
  }

  private static String attribute(Pattern pattern, String element) {
    Matcher matcher = pattern.matcher(element);
    return matcher.find() ? unescape(matcher.group(1)) : "";
  }

  private static String unescape(String html) {
    return html.replace("&quot;", "\"").replace("&#39;", "'").replace("&amp;", "&");
  }

  /// @param form to post; empty: reads the page
  private HttpResponse<String> request(HttpClient http, URI page, String form) {
    HttpResponse<String> response = send(http, builder(page, form));
    for (int i = 0; i < MAX_PAGES && response.statusCode() / 100 == 3; i++) {
      URI next = response.uri().resolve(response.headers().firstValue("Location").orElseThrow());
      response = send(http, builder(next, ""));
    }
    return response;
  }

  private HttpRequest builder(URI page, String form) {
    HttpRequest.Builder request = HttpRequest.newBuilder(page).timeout(TIMEOUT);
    if (!cookies.isEmpty()) {
      request.header(
          "Cookie",
          cookies.entrySet().stream()
              .map(cookie -> cookie.getKey() + "=" + cookie.getValue())
              .collect(Collectors.joining("; ")));
    }
    return form.isEmpty()
        ? request.build()
        : request
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(form))
            .build();
  }

  private HttpResponse<String> send(HttpClient http, HttpRequest request) {
    try {
      HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
      for (String cookie : response.headers().allValues("Set-Cookie")) {
        String[] parts = cookie.split(";", 2)[0].split("=", 2);
        if (parts[1].isEmpty()) {
          cookies.remove(parts[0]);
        } else {
          cookies.put(parts[0], parts[1]);
        }
      }
      if (response.statusCode() >= 400) {
        throw new IllegalStateException("%s: %d%n%s".formatted(request.uri(), response.statusCode(), response.body()));
      }
      return response;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
