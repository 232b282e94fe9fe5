package dev.uplift.cli.rest;

import java.net.http.HttpResponse;
import java.security.cert.X509Certificate;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import tools.jackson.databind.JsonNode;

/// A server as it looks from outside: what it says about its health, and what a response of it tells besides.
///
/// @param before time of this machine before the request
/// @param date of the response, by the clock of the server or a proxy, in whole seconds; empty if it has none
/// @param after time of this machine after the response
/// @param certificateExpiry when the first certificate that it showed expires; empty without TLS
public record ServerObservation(
    JsonNode health, Instant before, Optional<Instant> date, Instant after, Optional<Instant> certificateExpiry) {
  static ServerObservation of(HttpResponse<String> response, JsonNode health, Instant before, Instant after) {
    return new ServerObservation(
        health,
        before,
        response.headers().firstValue("Date").flatMap(ServerObservation::parse),
        after,
        response.sslSession().flatMap(ServerObservation::firstExpiry));
  }

  private static Optional<Instant> parse(String date) {
    try {
      return Optional.of(ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }

  private static Optional<Instant> firstExpiry(SSLSession session) {
    try {
      return Arrays.stream(session.getPeerCertificates())
          .map(certificate -> ((X509Certificate) certificate).getNotAfter().toInstant())
          .min(Comparator.naturalOrder());
    } catch (SSLPeerUnverifiedException _) {
      return Optional.empty();
    }
  }
}
